package io.onceflow.reconciliation.internal.refund;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.MultiGauge.Row;
import io.micrometer.core.instrument.Tags;
import io.onceflow.internal.watchdog.PeriodicTask;
import io.onceflow.sql.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import javax.sql.DataSource;

/**
 * The metric {@code onceflow.refunds.failed}: refunds that a gateway or carrier does not make and
 * that no operator has resolved, each by its name, the oldest first. It is read from a table at
 * intervals, the same on every replica, and has no value while the database is away.
 */
public final class FailedRefunds implements AutoCloseable {

  /** Each is a time series; beyond these the operators' list has them. */
  private static final int SHOWN = 50;

  private static final Duration EVERY = Duration.ofSeconds(30);

  private final String system;
  private final String sql;
  private final DataSource database;
  private final MultiGauge gauge;
  private final PeriodicTask task;

  /**
   * @param system the gateway or carrier, such as {@code stripe}
   * @param sql selects {@code reference}, {@code refund} and {@code failure}; its one parameter is
   *     how many
   */
  public FailedRefunds(String system, String sql, DataSource database, MeterRegistry registry) {
    this.system = system;
    this.sql = sql;
    this.database = database;
    this.gauge =
        MultiGauge.builder("onceflow.refunds.failed")
            .description("Refunds that failed and are not resolved; the same on every replica")
            .register(registry);
    this.task = new PeriodicTask("refunds-" + system, this::look);
  }

  /** Looks now and then. */
  public void start() {
    task.start(EVERY, EVERY);
  }

  /** Looks at the table. */
  public void look() throws SQLException {
    try (Connection connection = database.getConnection()) {
      gauge.register(Sql.query(connection, sql, this::row, SHOWN));
    } catch (SQLException | RuntimeException e) {
      gauge.register(List.of());
      throw e;
    }
  }

  private Row<?> row(Sql.Row refund) throws SQLException {
    return Row.of(
        Tags.of(
            "system", system,
            "reference", String.valueOf(refund.text("reference")),
            "refund", String.valueOf(refund.text("refund")),
            "failure", String.valueOf(refund.text("failure"))),
        1);
  }

  @Override
  public void close() {
    task.close();
  }
}
