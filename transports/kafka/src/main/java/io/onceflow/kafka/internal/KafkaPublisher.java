package io.onceflow.kafka.internal;

import io.onceflow.outbox.OutboxMessage;
import io.onceflow.outbox.internal.transport.OutgoingMessage;
import io.onceflow.outbox.internal.transport.Publisher;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Publishes batches by a channel of its own, opened when needed and closed when in doubt. */
final class KafkaPublisher implements Publisher {

  private static final Duration SHORTEST_WRITE = Duration.ofSeconds(1);

  private final KafkaTransport transport;
  private @Nullable KafkaChannel channel;

  KafkaPublisher(KafkaTransport transport) {
    this.transport = transport;
  }

  @Override
  public Published publish(List<OutboxMessage> messages, Duration deadline)
      throws IOException, InterruptedException {
    long giveUpAt = System.nanoTime() + deadline.toNanos();
    KafkaChannel open = channel(toWrite(giveUpAt));
    boolean isSound = false;
    try {
      open.write(OutgoingMessage.each(messages), toWrite(giveUpAt));
      Published published = open.await(left(giveUpAt));
      isSound = open.isSettled() && open.isOpen();
      return published;
    } finally {
      if (!isSound) {
        close();
      }
    }
  }

  @Override
  public void close() {
    KafkaChannel open = channel;
    channel = null;
    if (open != null) {
      open.close();
    }
  }

  private KafkaChannel channel(Duration atMost) throws IOException {
    KafkaChannel open = channel;
    if (open == null || !open.isOpen()) {
      close();
      open = transport.openChannel(() -> {}, atMost);
      channel = open;
    }
    return open;
  }

  /** A deadline that is nearly over is no reason to take Kafka for away. */
  private static Duration toWrite(long giveUpAt) {
    Duration left = left(giveUpAt);
    return left.compareTo(SHORTEST_WRITE) > 0 ? left : SHORTEST_WRITE;
  }

  private static Duration left(long giveUpAt) {
    return Duration.ofNanos(Math.max(0, giveUpAt - System.nanoTime()));
  }
}
