package io.onceflow.local.internal;

import io.onceflow.outbox.OutboxMessage;
import io.onceflow.outbox.internal.transport.OutgoingMessage;
import io.onceflow.outbox.internal.transport.Publisher;
import java.time.Duration;
import java.util.List;

/** Hands a batch over and waits until it is settled. */
record LocalPublisher(LocalTransport transport) implements Publisher {

  @Override
  public Published publish(List<OutboxMessage> messages, Duration deadline)
      throws InterruptedException {
    try (LocalChannel channel = new LocalChannel(transport, () -> {})) {
      channel.write(OutgoingMessage.each(messages), deadline);
      return channel.await(deadline);
    }
  }

  @Override
  public void close() {
    // Nothing is open between batches.
  }
}
