package io.onceflow.quarkus.runtime.dev;

import io.onceflow.outbox.internal.transport.MessageChannel;
import io.onceflow.outbox.internal.transport.OutgoingMessage;
import io.onceflow.outbox.internal.transport.Publisher.Published;
import java.io.IOException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/** What is passed in memory meets the faults here. */
final class FaultyChannel implements MessageChannel {

  private final MessageChannel channel;
  private final MessageFaults faults;
  private Set<UUID> lost = new HashSet<>();

  FaultyChannel(MessageChannel channel, MessageFaults faults) {
    this.channel = channel;
    this.faults = faults;
  }

  @Override
  public void write(List<OutgoingMessage> messages, Duration atMost) throws IOException {
    FaultyBatch<OutgoingMessage> batch =
        FaultyBatch.of(messages, faults, OutgoingMessage::isAddressed, OutgoingMessage::id);
    channel.write(batch.sent(), atMost);
    lose(batch.lost());
  }

  private synchronized void lose(Set<UUID> more) {
    lost.addAll(more);
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
  public boolean isBlocked() {
    return channel.isBlocked();
  }

  @Override
  public void close() {
    channel.close();
  }
}
