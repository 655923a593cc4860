package io.onceflow.quarkus.runtime.dev;

import io.onceflow.outbox.OutboxMessage;
import io.onceflow.outbox.internal.transport.Publisher;
import java.io.IOException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/** What is read back from the outbox meets the faults here. */
record FaultyPublisher(Publisher publisher, MessageFaults faults) implements Publisher {

  @Override
  public Published publish(List<OutboxMessage> messages, Duration deadline)
      throws IOException, InterruptedException {
    FaultyBatch<OutboxMessage> batch =
        FaultyBatch.of(messages, faults, OutboxMessage::isAddressed, OutboxMessage::id);
    Published published = publisher.publish(batch.sent(), deadline);
    Set<UUID> confirmed = new HashSet<>(published.confirmed());
    confirmed.addAll(batch.lost());
    return new Published(confirmed, published.refused());
  }

  @Override
  public boolean isReady() {
    return publisher.isReady();
  }

  @Override
  public void close() {
    publisher.close();
  }
}
