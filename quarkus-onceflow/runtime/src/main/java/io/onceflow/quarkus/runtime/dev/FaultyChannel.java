package io.onceflow.quarkus.runtime.dev;

import io.onceflow.outbox.internal.transport.MessageChannel;
import io.onceflow.outbox.internal.transport.OutgoingMessage;
import io.onceflow.outbox.internal.transport.Publisher.Published;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/** What is sent meets the faults here that are asked for. */
final class FaultyChannel implements MessageChannel {

  private static final Logger LOG = Logger.getLogger(FaultyChannel.class);
  private static final Duration DELAY = Duration.ofSeconds(3);

  private final MessageChannel channel;
  private final MessageFaults faults;
  private Set<UUID> lost = new HashSet<>();

  FaultyChannel(MessageChannel channel, MessageFaults faults) {
    this.channel = channel;
    this.faults = faults;
  }

  @Override
  public void write(List<OutgoingMessage> messages, Duration atMost) throws IOException {
    List<OutgoingMessage> sent = new ArrayList<>();
    for (OutgoingMessage message : messages) {
      sent.addAll(message.isAddressed() ? sent(message) : List.of(message));
    }
    channel.write(sent, atMost);
  }

  /** What is sent for a message; returns after its delay, if one is asked for. */
  private List<OutgoingMessage> sent(OutgoingMessage message) {
    MessageFaults.@Nullable Fault fault = faults.next().orElse(null);
    if (fault == null) {
      return List.of(message);
    }
    LOG.infof("%s %s, as requested in the Dev UI", fault, message.id());
    return switch (fault) {
      case LOSE -> {
        lose(message.id());
        yield List.of();
      }
      case REPEAT -> List.of(message, message);
      case DELAY -> {
        pause();
        yield List.of(message);
      }
    };
  }

  private static void pause() {
    try {
      Thread.sleep(DELAY);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private synchronized void lose(UUID message) {
    lost.add(message);
  }

  @Override
  public Published answered() {
    return withLost(channel.answered());
  }

  @Override
  public Published await(Duration deadline) throws InterruptedException {
    return withLost(channel.await(deadline));
  }

  private synchronized Published withLost(Published published) {
    Set<UUID> confirmed = lost;
    confirmed.addAll(published.confirmed());
    lost = new HashSet<>();
    return new Published(confirmed, published.refused());
  }

  @Override
  public boolean isSettled() {
    return channel.isSettled();
  }

  @Override
  public boolean isOpen() {
    return channel.isOpen();
  }

  @Override
  public @Nullable Exception closedByMessage() {
    return channel.closedByMessage();
  }

  @Override
  public boolean isBlocked() {
    return channel.isBlocked();
  }

  @Override
  public void close() {
    channel.close();
  }
}
