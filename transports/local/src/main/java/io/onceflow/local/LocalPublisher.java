package io.onceflow.local;

import io.onceflow.outbox.OutboxMessage;
import io.onceflow.outbox.OutgoingMessage;
import io.onceflow.outbox.Publisher;
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
