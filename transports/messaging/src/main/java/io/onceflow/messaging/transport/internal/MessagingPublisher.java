package io.onceflow.messaging.transport.internal;

import io.onceflow.outbox.OutboxMessage;
import io.onceflow.outbox.internal.transport.BundlePolicy;
import io.onceflow.outbox.internal.transport.OutgoingMessage;
import io.onceflow.outbox.internal.transport.PublishResults;
import io.onceflow.outbox.internal.transport.TransportPublisher;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/** Publishes batches by the connector; a bundle that is refused is sent again as its messages. */
final class MessagingPublisher extends TransportPublisher {

  private final BundlePolicy bundling;

  MessagingPublisher(MessagingTransport transport, BundlePolicy bundling) {
    super(transport);
    this.bundling = bundling;
  }

  @Override
  public Published publish(List<OutboxMessage> messages, Duration deadline)
      throws IOException, InterruptedException {
    long giveUpAt = System.nanoTime() + deadline.toNanos();
    PublishResults results = new PublishResults();
    List<OutgoingMessage> batch = OutgoingMessage.pack(messages, bundling);
    attempt(batch, giveUpAt, results);
    unpack(batch, giveUpAt, results, id -> results.refusal(id) != null);
    return results.published();
  }
}
