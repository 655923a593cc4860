package io.onceflow.outbox;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.onceflow.idempotency.testing.TestDatabase;
import io.onceflow.outbox.internal.OutboxConfig;
import io.onceflow.outbox.internal.OutboxTable;
import io.onceflow.outbox.internal.UnitOfWork;
import io.onceflow.outbox.internal.relay.RelayBatch;
import io.onceflow.outbox.internal.relay.RelaySignal;
import io.onceflow.outbox.internal.transport.Publisher;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.awaitility.Awaitility;

/** The database in which only the relay's tests write, and messages to send. */
public class Shipping {

  public static final TestDatabase DATABASE = TestDatabase.migrated("shipping");
  static final ObjectMapper JSON = new ObjectMapper();

  static {
    // What is waited for here takes milliseconds.
    Awaitility.setDefaultPollDelay(Duration.ZERO);
    Awaitility.setDefaultPollInterval(Duration.ofMillis(10));
    Awaitility.setDefaultTimeout(Duration.ofSeconds(30));
  }

  public final RelaySignal signal = new RelaySignal();
  public final UnitOfWork unitOfWork = OwnUnitOfWork.on(DATABASE.source(), signal);
  public final SimpleMeterRegistry metrics = new SimpleMeterRegistry();

  /** A routing key that no other test has. */
  public final String to = "test." + UUID.randomUUID();

  public Shipping() {
    DATABASE.update("DELETE FROM outbox_message");
    DATABASE.update("DELETE FROM outbox_lease");
  }

  public RelayBatch batch(OutboxConfig.Relay config, Publisher publisher) {
    return new RelayBatch(
        DATABASE.source(), new OutboxTable(JSON, config), publisher, config, metrics);
  }

  public OutboxMessage command() {
    return message(OutboxMessage.COMMANDS, to);
  }

  public OutboxMessage event() {
    return message(OutboxMessage.EVENTS, to);
  }

  public OutboxMessage message(String exchange, String routingKey) {
    return new OutboxMessage(
        OutboxMessage.newId(),
        "shipment",
        // Each its own: events of one aggregate wait for each other.
        UUID.randomUUID().toString(),
        "ArrangeShipment",
        "{\"for\":\"Jürgen\"}",
        exchange,
        routingKey,
        "saga-1",
        "order-service",
        Map.of("x-idempotency-key", "5f0c", "traceparent", "00-0af7"));
  }

  /** Commits messages as the services do, and wakes the relay. */
  public void commit(OutboxMessage... messages) throws Exception {
    unitOfWork.call(
        tx -> {
          tx.send(List.of(messages));
          return null;
        });
  }

  /** Commits messages and lets nobody know. */
  public void commitSilently(OutboxMessage... messages) throws Exception {
    OwnUnitOfWork.on(DATABASE.source())
        .call(
            tx -> {
              tx.send(List.of(messages));
              return null;
            });
  }

  public static long rows() {
    return DATABASE.number("SELECT count(*) FROM outbox_message");
  }

  public static long attempts(OutboxMessage message) {
    return DATABASE.number("SELECT attempts FROM outbox_message WHERE id = ?", message.id());
  }
}
