package io.onceflow.reconciliation.internal.run;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.onceflow.reconciliation.Difference.Kind;
import io.onceflow.sql.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Metrics of reconciliation. Numbers of the tables are the same on every replica, and have no value
 * while the database is unavailable.
 */
final class ReconciliationMetrics {

  /** A day is compared once. */
  private static final long EVERY_NANOS = TimeUnit.SECONDS.toNanos(30);

  private static final String OPEN =
      """
      SELECT   comparison, kind, count(*) AS differences
      FROM     reconciliation_difference
      WHERE    closed_at IS NULL
      GROUP BY comparison, kind
      """;

  /** Where none has succeeded yet, since the first was due. */
  private static final String LAST_SUCCESS =
      """
      SELECT   comparison,
               extract(epoch FROM coalesce(max(finished_at) FILTER (WHERE status = 'COMPLETED'),
                                           min(created_at)))::float8 AS at
      FROM     reconciliation_run
      GROUP BY comparison
      """;

  private final MeterRegistry registry;
  private volatile @Nullable Map<String, Double> open;
  private volatile @Nullable Map<String, Double> lastSuccess;
  private long lookedAt = System.nanoTime() - EVERY_NANOS;

  ReconciliationMetrics(MeterRegistry registry, List<String> comparisons) {
    this.registry = registry;
    comparisons.forEach(this::register);
  }

  private void register(String comparison) {
    for (Kind kind : Kind.values()) {
      String key = key(comparison, kind.name());
      Gauge.builder("onceflow.reconciliation.differences", () -> value(open, key, 0.0))
          .description("Differences between two books that are open; the same on every replica")
          .tag("comparison", comparison)
          .tag("kind", kind.name().toLowerCase(Locale.ROOT))
          .strongReference(true)
          .register(registry);
    }
    count(comparison, true, 0);
    count(comparison, false, 0);
  }

  /** Tells when a comparison was made last, where it is scheduled. */
  void registerLastSuccess(String comparison) {
    Gauge.builder(
            "onceflow.reconciliation.last.success.timestamp",
            () -> value(lastSuccess, comparison, null))
        .description("When a day was compared last, in seconds since 1970")
        .baseUnit("seconds")
        .tag("comparison", comparison)
        .strongReference(true)
        .register(registry);
  }

  private static @Nullable Double value(
      @Nullable Map<String, Double> seen, String key, @Nullable Double none) {
    return seen == null ? null : seen.getOrDefault(key, none);
  }

  private static String key(String comparison, String kind) {
    return comparison + " " + kind;
  }

  /** A run has ended. */
  void ended(LeasedRun run, Duration took, boolean isComplete) {
    Timer.builder("onceflow.reconciliation.duration")
        .description("How long attempts to compare a day took")
        .tag("comparison", run.comparison())
        .tag("outcome", isComplete ? "completed" : "failed")
        .register(registry)
        .record(took);
  }

  /** Entries were read. */
  void count(String comparison, boolean isOurs, long entries) {
    registry
        .counter(
            "onceflow.reconciliation.entries",
            "comparison",
            comparison,
            "side",
            isOurs ? "ours" : "theirs")
        .increment(entries);
  }

  /** Whether it is time to look at the tables again. */
  boolean isDue() {
    return System.nanoTime() - lookedAt >= EVERY_NANOS;
  }

  /** Looks at the tables. */
  void look(Connection connection) throws SQLException {
    lookedAt = System.nanoTime();
    Map<String, Double> differences = new HashMap<>();
    Sql.query(
        connection,
        OPEN,
        row ->
            differences.put(
                key(String.valueOf(row.text("comparison")), String.valueOf(row.text("kind"))),
                row.real("differences")));
    Map<String, Double> successes = new HashMap<>();
    Sql.query(
        connection,
        LAST_SUCCESS,
        row -> successes.put(String.valueOf(row.text("comparison")), row.real("at")));
    open = differences;
    lastSuccess = successes;
  }

  /** The tables cannot be looked at. */
  void forget() {
    open = null;
    lastSuccess = null;
  }
}
