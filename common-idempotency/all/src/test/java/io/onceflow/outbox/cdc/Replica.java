package io.onceflow.outbox.cdc;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.agroal.api.AgroalDataSource;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.onceflow.outbox.OutboxMessage;
import io.onceflow.outbox.PlainUnitOfWork;
import io.onceflow.outbox.internal.OutboxConfig;
import io.onceflow.outbox.internal.OutboxDepth;
import io.onceflow.outbox.internal.UnitOfWork;
import io.onceflow.outbox.internal.relay.Relay;
import io.onceflow.outbox.internal.relay.RelaySignal;
import io.onceflow.outbox.internal.transport.MessageTransport;
import io.onceflow.rabbitmq.internal.Heard;
import io.onceflow.test.internal.TestConfig;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A process of a service: its connections, what it writes, and its relay. */
final class Replica implements AutoCloseable {

  /** What only the log can have told is not found by polling, which is done once an hour. */
  private static final Map<String, Object> SETTINGS =
      Map.of("relay", "cdc", "cdc.heartbeat", "PT0.2S", "relay.hand-over-grace", "PT1M");

  final SimpleMeterRegistry metrics = new SimpleMeterRegistry();

  private final LoggedDatabase database;
  private final String name;
  private final AgroalDataSource pool;
  private final RelaySignal signal = new RelaySignal();
  private final UnitOfWork unitOfWork;
  private final Relay relay;

  /**
   * @param settings besides those of all, below {@code onceflow.outbox}
   */
  Replica(LoggedDatabase database, String name, MessageTransport transport, Map<String, ?> settings)
      throws SQLException {
    Map<String, Object> all = new HashMap<>(SETTINGS);
    all.putAll(settings);
    OutboxConfig config = TestConfig.outbox(all);
    this.database = database;
    this.name = name;
    this.pool = database.pool(name);
    this.unitOfWork = PlainUnitOfWork.on(pool, signal);
    OutboxDepth depth = new OutboxDepth(pool, config, new Heard<>());
    this.relay = new Relay(config, pool, new ObjectMapper(), transport, signal, metrics, depth);
  }

  Replica start() {
    relay.start();
    return this;
  }

  /** Its relay stops, as when the process ends; it can still write. */
  void stop() {
    relay.stop();
  }

  /** Whether it leaves what it writes to the reader of the log. */
  boolean leavesToLog() {
    return signal.hold().grace().isPositive();
  }

  void commit(OutboxMessage... messages) {
    try {
      unitOfWork.call(
          tx -> {
            tx.send(List.of(messages));
            return null;
          });
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Is gone in the middle of whatever it does, and lets go of nothing. */
  void kill() throws SQLException {
    pool.close();
    database.cut(name);
  }

  @Override
  public void close() {
    relay.stop();
    pool.close();
  }
}
