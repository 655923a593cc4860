package io.onceflow.reconciliation.internal.refund;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.MultiGauge.Row;
import io.micrometer.core.instrument.Tags;
import io.onceflow.inbox.internal.LaterFailures;
import io.onceflow.internal.watchdog.PeriodicTask;
import io.onceflow.sql.Column;
import io.onceflow.sql.Sql;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.event.Observes;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Refunds that a gateway or carrier does not make and that no operator has resolved: the metric
 * {@code onceflow.refunds.failed}, each by its name, the oldest first, and what their steps are
 * shown with. The metric is read from a table at intervals, the same on every replica, and has no
 * value while the database is unavailable.
 */
public abstract class FailedRefunds implements LaterFailures {

  /** Each is a time series; beyond these the operators' list has them. */
  private static final int SHOWN = 50;

  private static final Duration EVERY = Duration.ofSeconds(30);

  private final String system;
  private final String sql;
  private final boolean isUsed;
  private final DataSource database;
  private final MultiGauge gauge;
  private @Nullable PeriodicTask task;

  /**
   * An instance.
   *
   * @param system the gateway or carrier, such as {@code stripe}
   * @param sql selects {@code reference}, {@code refund}, {@code failure}, {@code created_at} and
   *     {@code call}, the key of the step's call
   * @param isUsed whether the application calls it
   */
  protected FailedRefunds(
      String system, String sql, boolean isUsed, DataSource database, MeterRegistry registry) {
    this.system = system;
    this.sql = sql;
    this.isUsed = isUsed;
    this.database = database;
    this.gauge =
        MultiGauge.builder("onceflow.refunds.failed")
            .description("Refunds that failed and are not resolved; the same on every replica")
            .register(registry);
  }

  protected void start(@Observes StartupEvent started) {
    if (isUsed) {
      task = new PeriodicTask("refunds-" + system, this::look);
      task.start(EVERY, EVERY);
    }
  }

  protected void stop(@Observes ShutdownEvent stopping) {
    if (task != null) {
      task.close();
    }
  }

  /** Looks at the table. */
  public void look() throws SQLException {
    try (Connection connection = database.getConnection()) {
      gauge.register(
          Sql.query(connection, sql + " ORDER BY created_at, call LIMIT ?", this::row, SHOWN));
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
  public Map<String, String> of(Connection connection, Collection<String> calls)
      throws SQLException {
    Map<String, String> failed = new HashMap<>();
    Sql.query(
        connection,
        "SELECT call, refund, failure FROM (%s) AS failed WHERE call = ANY (?)".formatted(sql),
        refund ->
            failed.put(
                String.valueOf(refund.text("call")),
                "%s has not made the refund %s: %s"
                    .formatted(system, refund.text("refund"), refund.text("failure"))),
        Column.texts(calls));
    return failed;
  }
}
