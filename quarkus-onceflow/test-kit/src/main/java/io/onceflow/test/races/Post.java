package io.onceflow.test.races;

import io.onceflow.outbox.OutboxMessage;
import io.onceflow.outbox.internal.transport.Publisher;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;

/** What the relay has published: every publication, also the second one of a message. */
final class Post {

  private final RacedService service;
  private final List<OutboxMessage> told = new CopyOnWriteArrayList<>();

  Post(RacedService service) {
    this.service = service;
  }

  /** Publishes what lies in the outbox. */
  void relay() throws SQLException, IOException, InterruptedException {
    service.relay(service.database(), publisher(() -> {}));
  }

  /** Publishes what lies in the outbox, and dies before that is noted. */
  void relayAndDie(RacedProcess process) throws IOException, InterruptedException {
    try {
      service.relay(process.database(), publisher(process::die));
    } catch (SQLException itDied) {
      // As was meant.
    }
  }

  /** All that was told of one saga. */
  List<OutboxMessage> told(String correlationId) {
    return told.stream().filter(it -> correlationId.equals(it.correlationId())).toList();
  }

  private Publisher publisher(Runnable afterwards) {
    return new Publisher() {
      @Override
      public Published publish(List<OutboxMessage> messages, Duration deadline) {
        told.addAll(messages);
        afterwards.run();
        return new Published(
            messages.stream().map(OutboxMessage::id).collect(Collectors.toSet()), Map.of());
      }

      @Override
      public void close() {}
    };
  }
}
