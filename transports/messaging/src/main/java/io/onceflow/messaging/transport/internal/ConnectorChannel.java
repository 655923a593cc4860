package io.onceflow.messaging.transport.internal;

import io.onceflow.outbox.OutboxMessage;
import io.onceflow.outbox.internal.transport.MessageChannel;
import io.onceflow.outbox.internal.transport.OutgoingMessage;
import io.onceflow.outbox.internal.transport.Publisher.Published;
import io.onceflow.rabbitmq.internal.BrokerConnection;
import io.onceflow.rabbitmq.internal.SendSpans;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Sends by the connector and keeps account of its answers. The connector never publishes as
 * mandatory, so that the broker confirms what no queue takes; therefore the first message of each
 * route goes by the native client, which learns of its return, and the others follow when it has
 * been confirmed. So does what the connector could not write: it would try that for ever.
 */
final class ConnectorChannel implements MessageChannel {

  private static final int LONGEST_PROPERTY = 255;

  private final OutgoingChannels outgoing;
  private final BrokerConnection checking;
  private final int largest;
  private final Runnable onAnswer;
  private final Runnable onLoss = this::lose;

  /** What waits for its answer, and for how many messages of the broker. */
  private final Map<UUID, Integer> pending = new HashMap<>();

  private MessageChannel checked;
  private Set<UUID> confirmed = new HashSet<>();
  private Map<UUID, String> refused = new HashMap<>();
  private boolean open = true;

  /**
   * @param checking the native client
   * @param largest bytes that a message may have
   * @throws IOException when the broker is away
   */
  ConnectorChannel(
      OutgoingChannels outgoing,
      BrokerConnection checking,
      int largest,
      Runnable onAnswer,
      Duration atMost)
      throws IOException {
    this.outgoing = outgoing;
    this.checking = checking;
    this.largest = largest;
    this.onAnswer = onAnswer;
    this.checked = checking.openChannel(() -> {}, atMost);
    outgoing.onLoss(onLoss);
  }

  @Override
  public @Nullable Exception write(List<OutgoingMessage> batch, Duration atMost)
      throws IOException {
    long giveUpAt = System.nanoTime() + atMost.toNanos();
    try {
      for (OutgoingMessage message : batch) {
        if (!isOpen() || isBlocked()) {
          return null;
        }
        if (!isSent(parts(message))) {
          check(message, giveUpAt);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      lose();
    }
    return null;
  }

  /** What goes out for it: a pack whose consumers do not unpack is sent as its messages. */
  private List<OutgoingMessage> parts(OutgoingMessage message) {
    return message.isPack() && checking.isSentApart(message) ? message.apart() : List.of(message);
  }

  /** False if the native client has to send it: the route is not known, or one is too large. */
  private boolean isSent(List<OutgoingMessage> parts) {
    if (!parts.stream().allMatch(part -> outgoing.isKnown(part) && isWritable(part))) {
      return false;
    }
    List<OutgoingMessage> traced = SendSpans.of(parts);
    List<byte[]> bodies = traced.stream().map(OutgoingMessage::body).toList();
    if (bodies.stream().anyMatch(body -> body.length > largest)) {
      return false;
    }
    UUID id = parts.getFirst().id();
    synchronized (this) {
      pending.put(id, parts.size());
    }
    for (int i = 0; i < parts.size(); i++) {
      outgoing.send(traced.get(i), bodies.get(i), failure -> settle(id, failure));
    }
    return true;
  }

  private void settle(UUID id, @Nullable Throwable failure) {
    synchronized (this) {
      if (!pending.containsKey(id)) {
        return;
      }
      pending.computeIfPresent(id, (same, count) -> count == 1 ? null : count - 1);
      if (failure != null) {
        refused.put(id, String.valueOf(failure.getMessage()));
      } else if (!pending.containsKey(id) && !refused.containsKey(id)) {
        confirmed.add(id);
      }
      notifyAll();
    }
    onAnswer.run();
  }

  /** On another connection, so it waits for all that went before by the connector's. */
  private void check(OutgoingMessage message, long giveUpAt)
      throws IOException, InterruptedException {
    if (!awaitPending(left(giveUpAt))) {
      lose();
      return;
    }
    Exception unwritable = checked.write(List.of(message), left(giveUpAt));
    Published answer = checked.await(left(giveUpAt));
    if (answer.confirmed().contains(message.id())) {
      outgoing.known(parts(message).getFirst());
    } else if (answer.refused().isEmpty() && unwritable == null && checked.isOpen()) {
      lose();
    }
    note(message.id(), answer, unwritable, giveUpAt);
    onAnswer.run();
  }

  private void note(UUID id, Published answer, @Nullable Exception unwritable, long giveUpAt)
      throws IOException {
    String why = answer.refused().get(id);
    if (unwritable != null || !checked.isOpen()) {
      checked.close();
      // If that succeeds, the broker is there, and has closed the channel over this message.
      checked = checking.openChannel(() -> {}, left(giveUpAt));
      why = unwritable != null ? unwritable.toString() : "the broker closed the channel over it";
    }
    synchronized (this) {
      confirmed.addAll(answer.confirmed());
      if (why != null && !answer.confirmed().contains(id)) {
        refused.put(id, why);
      }
    }
  }

  /** Where it is not, the native client says why. */
  private static boolean isWritable(OutgoingMessage message) {
    return message.isPack() || message.messages().stream().allMatch(ConnectorChannel::isShort);
  }

  private static boolean isShort(OutboxMessage message) {
    return isShort(message.type())
        && isShort(message.correlationId())
        && isShort(message.replyTo())
        && message.headers().keySet().stream().allMatch(ConnectorChannel::isShort);
  }

  /** Bytes, by the characters that take the most. */
  private static boolean isShort(@Nullable String text) {
    return text == null || text.length() * 3 <= LONGEST_PROPERTY;
  }

  private static Duration left(long giveUpAt) {
    return Duration.ofNanos(Math.max(0, giveUpAt - System.nanoTime()));
  }

  @Override
  public boolean isForPacks() {
    return true;
  }

  @Override
  public synchronized Published answered() {
    Published answers = new Published(confirmed, refused);
    confirmed = new HashSet<>();
    refused = new HashMap<>();
    return answers;
  }

  @Override
  public Published await(Duration deadline) throws InterruptedException {
    awaitPending(deadline);
    return answered();
  }

  private synchronized boolean awaitPending(Duration atMost) throws InterruptedException {
    long until = System.nanoTime() + atMost.toNanos();
    for (long left = atMost.toMillis(); !pending.isEmpty() && open && left > 0; ) {
      wait(left);
      left = (until - System.nanoTime()) / 1_000_000;
    }
    return pending.isEmpty();
  }

  @Override
  public synchronized boolean isSettled() {
    return pending.isEmpty();
  }

  /** What waits for its answer is in doubt. */
  private void lose() {
    synchronized (this) {
      open = false;
      notifyAll();
    }
    onAnswer.run();
  }

  @Override
  public boolean isOpen() {
    synchronized (this) {
      if (!open) {
        return false;
      }
    }
    return checked.isOpen();
  }

  @Override
  public boolean isBlocked() {
    return checked.isBlocked();
  }

  @Override
  public void close() {
    outgoing.forget(onLoss);
    synchronized (this) {
      open = false;
      pending.clear();
      notifyAll();
    }
    checked.close();
  }
}
