package io.onceflow.local.internal;

import io.onceflow.outbox.OutboxMessage;
import io.onceflow.outbox.internal.transport.MessageChannel;
import io.onceflow.outbox.internal.transport.OutgoingMessage;
import io.onceflow.outbox.internal.transport.Publisher.Published;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Hands messages over, and has them confirmed when they are settled. */
final class LocalChannel implements MessageChannel {

  private final LocalTransport transport;
  private final Runnable onAnswer;

  /** How many messages of each outgoing message are not settled. */
  private final Map<UUID, Integer> pending = new HashMap<>();

  private Set<UUID> confirmed = new HashSet<>();
  private Map<UUID, String> refused = new HashMap<>();
  private boolean open = true;

  LocalChannel(LocalTransport transport, Runnable onAnswer) {
    this.transport = transport;
    this.onAnswer = onAnswer;
  }

  @Override
  public @Nullable Exception write(List<OutgoingMessage> batch, Duration atMost) {
    batch.forEach(this::write);
    return null;
  }

  private void write(OutgoingMessage outgoing) {
    Optional<LocalQueue> queue = transport.queueOf(outgoing.exchange(), outgoing.routingKey());
    if (queue.isPresent()) {
      expect(outgoing);
      for (OutboxMessage message : outgoing.messages()) {
        queue.get().accept(message, new Expected(outgoing.id()));
      }
    } else {
      answerUnrouted(outgoing);
      onAnswer.run();
    }
  }

  /** One of the messages of an outgoing message. */
  private final class Expected implements LocalQueue.Settlement {

    private final UUID outgoing;

    Expected(UUID outgoing) {
      this.outgoing = outgoing;
    }

    @Override
    public boolean isOver() {
      return !isOpen();
    }

    @Override
    public void settled() {
      LocalChannel.this.settled(outgoing);
    }
  }

  private synchronized void expect(OutgoingMessage outgoing) {
    pending.put(outgoing.id(), outgoing.messages().size());
  }

  private synchronized void answerUnrouted(OutgoingMessage outgoing) {
    if (outgoing.isAddressed()) {
      refused.put(
          outgoing.id(),
          "nothing in this application handles \"%s\"".formatted(outgoing.routingKey()));
    } else {
      confirmed.add(outgoing.id());
    }
    notifyAll();
  }

  private void settled(UUID outgoing) {
    synchronized (this) {
      if (pending.merge(outgoing, -1, Integer::sum) > 0) {
        return;
      }
      pending.remove(outgoing);
      confirmed.add(outgoing);
      notifyAll();
    }
    onAnswer.run();
  }

  @Override
  public synchronized Published answered() {
    Published answers = new Published(confirmed, refused);
    confirmed = new HashSet<>();
    refused = new HashMap<>();
    return answers;
  }

  @Override
  public synchronized Published await(Duration deadline) throws InterruptedException {
    long until = System.nanoTime() + deadline.toNanos();
    for (long left = deadline.toMillis(); !pending.isEmpty() && left > 0; ) {
      wait(left);
      left = (until - System.nanoTime()) / 1_000_000;
    }
    return answered();
  }

  @Override
  public synchronized boolean isSettled() {
    return pending.isEmpty();
  }

  @Override
  public synchronized boolean isOpen() {
    return open;
  }

  @Override
  public boolean isBlocked() {
    return false;
  }

  @Override
  public synchronized void close() {
    open = false;
  }
}
