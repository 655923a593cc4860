package io.onceflow.outbox;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.onceflow.idempotency.testing.TestDatabase;
import io.onceflow.launcher.testing.TestServers;
import io.onceflow.outbox.internal.OutboxConfig;
import io.onceflow.outbox.internal.OutboxDepth;
import io.onceflow.outbox.internal.OutboxTable;
import io.onceflow.outbox.internal.UnitOfWork;
import io.onceflow.outbox.internal.relay.Relay;
import io.onceflow.outbox.internal.relay.RelayBatch;
import io.onceflow.outbox.internal.relay.RelaySignal;
import io.onceflow.outbox.internal.transport.Publisher;
import io.onceflow.rabbitmq.internal.BrokerConnection;
import io.onceflow.rabbitmq.internal.Heard;
import io.onceflow.rabbitmq.internal.TestBrokers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.awaitility.Awaitility;

/** The database in which only the relay's tests write, the broker, and messages to send. */
public final class Shipping implements AutoCloseable {

  public static final TestDatabase DATABASE = TestDatabase.migrated("shipping");
  public static final TestServers SERVERS = TestServers.shared();
  static final ObjectMapper JSON = new ObjectMapper();

  static {
    // What is waited for here takes milliseconds.
    Awaitility.setDefaultPollDelay(Duration.ZERO);
    Awaitility.setDefaultPollInterval(Duration.ofMillis(10));
  }

  public final RelaySignal signal = new RelaySignal();
  public final UnitOfWork unitOfWork = PlainUnitOfWork.on(DATABASE.source(), signal);
  public final SimpleMeterRegistry metrics = new SimpleMeterRegistry();
  public final BrokerConnection broker;

  /** A routing key that no other test has. */
  public final String to = "test." + UUID.randomUUID();

  private final List<Runnable> closing = new ArrayList<>();

  public Shipping() {
    this(connection());
  }

  public Shipping(BrokerConnection broker) {
    this.broker = broker;
    SERVERS.startBroker();
    DATABASE.update("DELETE FROM outbox_message");
    DATABASE.update("DELETE FROM outbox_lease");
    closing.add(() -> TestBrokers.close(broker));
  }

  public static BrokerConnection connection() {
    return TestBrokers.of(SERVERS);
  }

  public Relay relay(OutboxConfig config) {
    Relay relay =
        new Relay(
            config,
            DATABASE.source(),
            JSON,
            broker,
            signal,
            metrics,
            new OutboxDepth(DATABASE.source(), config, new Heard<>()));
    relay.start();
    closing.add(relay::stop);
    return relay;
  }

  /** Until the relay that was started has a channel for what this process commits. */
  public void publishesDirectly() {
    Awaitility.await()
        .atMost(Duration.ofSeconds(30))
        .until(() -> signal.reserve().grace().isPositive());
  }

  /** How long a message that is recorded now would be left to this process. */
  public Duration directPublishGrace() {
    return signal.reserve().grace();
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
    PlainUnitOfWork.on(DATABASE.source())
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

  @Override
  public void close() {
    closing.reversed().forEach(Runnable::run);
  }
}
