package io.onceflow.messaging.transport.internal;

import io.onceflow.outbox.OutboxMessage;
import io.onceflow.outbox.internal.transport.BundlePolicy;
import io.onceflow.outbox.internal.transport.OutgoingMessage;
import io.onceflow.outbox.internal.transport.Publisher;
import io.onceflow.rabbitmq.internal.PublishResults;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Publishes batches by the connector; a bundle that is refused is sent again as its messages. */
final class MessagingPublisher implements Publisher {

  private static final Duration SHORTEST_WRITE = Duration.ofSeconds(1);

  private final MessagingTransport transport;
  private final BundlePolicy bundling;
  private @Nullable ConnectorChannel channel;

  MessagingPublisher(MessagingTransport transport, BundlePolicy bundling) {
    this.transport = transport;
    this.bundling = bundling;
  }

  @Override
  public Published publish(List<OutboxMessage> messages, Duration deadline)
      throws IOException, InterruptedException {
    long giveUpAt = System.nanoTime() + deadline.toNanos();
    PublishResults results = new PublishResults();
    List<OutgoingMessage> batch = OutgoingMessage.pack(messages, bundling);
    attempt(batch, giveUpAt, results);
    List<OutboxMessage> refused =
        batch.stream()
            .filter(OutgoingMessage::isPack)
            .flatMap(pack -> pack.messages().stream())
            .filter(message -> results.isRefused(message.id()))
            .toList();
    if (!refused.isEmpty()) {
      refused.forEach(message -> results.forget(message.id()));
      attempt(OutgoingMessage.each(refused), giveUpAt, results);
    }
    return results.published();
  }

  @Override
  public boolean isReady() {
    return transport.blocked().isEmpty();
  }

  @Override
  public void close() {
    ConnectorChannel open = channel;
    channel = null;
    if (open != null) {
      open.close();
    }
  }

  private void attempt(List<OutgoingMessage> batch, long giveUpAt, PublishResults results)
      throws IOException, InterruptedException {
    ConnectorChannel open = channel(toWrite(giveUpAt));
    boolean isSound = false;
    try {
      open.write(batch, toWrite(giveUpAt));
      results.note(batch, open.await(left(giveUpAt)));
      isSound = open.isSettled() && open.isOpen();
    } finally {
      if (!isSound) {
        close();
      }
    }
  }

  private ConnectorChannel channel(Duration atMost) throws IOException {
    ConnectorChannel open = channel;
    if (open == null || !open.isOpen()) {
      close();
      open = transport.openChannel(() -> {}, atMost);
      channel = open;
    }
    return open;
  }

  /** A deadline that is nearly over does not cost the connection, which others share. */
  private static Duration toWrite(long giveUpAt) {
    Duration left = left(giveUpAt);
    return left.compareTo(SHORTEST_WRITE) > 0 ? left : SHORTEST_WRITE;
  }

  private static Duration left(long giveUpAt) {
    return Duration.ofNanos(Math.max(0, giveUpAt - System.nanoTime()));
  }
}
