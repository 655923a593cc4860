package io.onceflow.inbox.internal.parking;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.micrometer.core.instrument.MeterRegistry;
import io.onceflow.inbox.internal.InboxConfig;
import io.onceflow.inbox.internal.consumer.Delivery;
import io.onceflow.inbox.internal.consumer.UnprocessableMessage;
import jakarta.enterprise.context.ApplicationScoped;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import javax.sql.DataSource;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/** What is parked, for operators: to look at, and to throw away. */
@ApplicationScoped
public class ParkedMessages {

  private static final Logger LOG = Logger.getLogger(ParkedMessages.class);

  private final DataSource database;
  private final MeterRegistry metrics;
  private final ParkedTable table;
  private final ParkedGauge gauge;

  public ParkedMessages(DataSource database, ObjectMapper json, MeterRegistry metrics) {
    this.database = database;
    this.metrics = metrics;
    this.table = new ParkedTable(json);
    this.gauge = new ParkedGauge(metrics);
  }

  /**
   * The newest first, at most {@code limit}.
   *
   * @param before only those older than the message of this id; null to begin with the newest
   */
  public List<ParkedMessage> newest(@Nullable UUID before, int limit) throws SQLException {
    return on(connection -> table.newest(connection, before, limit));
  }

  /** A message with all that it carries; empty when it is not parked here. */
  public Optional<ParkedMessageDetail> find(UUID id) throws SQLException {
    return on(connection -> table.find(connection, id));
  }

  /**
   * Throws a message away for good.
   *
   * @param operator who wants that, for the log
   * @return false when it is not parked here
   */
  public boolean delete(UUID id, String operator) throws SQLException {
    Optional<Delivery> deleted = on(connection -> table.take(connection, id));
    if (deleted.isPresent()) {
      metrics.counter("onceflow.inbox.parked.deleted").increment();
      LOG.warnf("%s deleted the parked message %s: %s", operator, id, deleted.get());
    }
    return deleted.isPresent();
  }

  boolean isOlder(UUID id, Duration age) throws SQLException {
    return on(connection -> table.isOlder(connection, id, age));
  }

  Optional<Delivery> take(Connection connection, UUID id) throws SQLException {
    return table.take(connection, id);
  }

  void explain(UUID id, UnprocessableMessage why) throws SQLException {
    on(
        connection -> {
          table.explain(connection, id, why);
          return true;
        });
  }

  /** Claims what is due. This is asked every now and then, so what there is is counted here. */
  List<FailedMessages.Due> claimDue(InboxConfig.Handling config, int most) throws SQLException {
    gauge.look(() -> on(connection -> table.count(connection, ParkedGauge.COUNTED)));
    return on(connection -> table.claimDue(connection, config, most));
  }

  /**
   * @param why null leaves what it says
   */
  void giveUp(UUID id, @Nullable UnprocessableMessage why) throws SQLException {
    on(
        connection -> {
          table.giveUp(connection, id);
          if (why != null) {
            table.explain(connection, id, why);
          }
          return true;
        });
  }

  void countAgain(String outcome) {
    metrics.counter("onceflow.inbox.tried.again", "outcome", outcome).increment();
  }

  void countRedrive(RedriveResult.Outcome outcome) {
    metrics.counter("onceflow.inbox.redriven", "outcome", outcome.word()).increment();
  }

  private <T> T on(Statement<T> statement) throws SQLException {
    try (Connection connection = database.getConnection()) {
      return statement.on(connection);
    }
  }

  /** One statement on a connection of its own. */
  @FunctionalInterface
  private interface Statement<T> {
    T on(Connection connection) throws SQLException;
  }
}
