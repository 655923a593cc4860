package io.onceflow.saga.internal.repair;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.TimeGauge;
import io.onceflow.sql.Sql;
import io.onceflow.sql.Sql.Row;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Metrics of repairs. Numbers of the table are the same on every replica, and have no value while
 * the database is away.
 */
final class RepairMetrics {

  private static final long EVERY_NANOS = TimeUnit.SECONDS.toNanos(10);

  private static final String UNFINISHED =
      """
      SELECT count(*) FILTER (WHERE status = 'RUNNING')           AS running,
             count(*) FILTER (WHERE status = 'AWAITING_APPROVAL') AS awaiting_approval,
             coalesce(extract(epoch FROM
               now() - min(progressed_at) FILTER (WHERE status = 'RUNNING')), 0) AS standing_still
      FROM   saga_repair
      WHERE  finished_at IS NULL
      """;

  private final MeterRegistry registry;
  private volatile @Nullable Unfinished last;
  private long lookedAt = System.nanoTime() - EVERY_NANOS;

  private record Unfinished(double running, double awaitingApproval, double standingStill) {}

  RepairMetrics(MeterRegistry registry) {
    this.registry = registry;
    for (RepairOutcome outcome : RepairOutcome.values()) {
      if (outcome != RepairOutcome.PENDING) {
        count(outcome, 0);
      }
    }
    gauge("RUNNING");
    gauge("AWAITING_APPROVAL");
    TimeGauge.builder("onceflow.repairs.standing.still", this::standingStill, TimeUnit.SECONDS)
        .description("For how long the running repair that has waited longest has not progressed")
        .register(registry);
  }

  private void gauge(String status) {
    Gauge.builder("onceflow.repairs.unfinished", () -> unfinished(status))
        .description("Repairs that are not finished, by status; the same number on every replica")
        .tag("status", status)
        .register(registry);
  }

  private @Nullable Number unfinished(String status) {
    Unfinished seen = last;
    if (seen == null) {
      return null;
    }
    return status.equals("RUNNING") ? seen.running() : seen.awaitingApproval();
  }

  private @Nullable Number standingStill() {
    Unfinished seen = last;
    return seen == null ? null : seen.standingStill();
  }

  /** A saga of a repair has got this outcome. */
  void count(RepairOutcome outcome) {
    count(outcome, 1);
  }

  /** Sagas have got this outcome. */
  void count(RepairOutcome outcome, int sagas) {
    registry
        .counter("onceflow.repairs.sagas", "outcome", outcome.name().toLowerCase(Locale.ROOT))
        .increment(sagas);
  }

  /** Whether it is time to look at the table again. */
  boolean isDue() {
    return System.nanoTime() - lookedAt >= EVERY_NANOS;
  }

  void look(Connection tx) throws SQLException {
    lookedAt = System.nanoTime();
    last = Sql.query(tx, UNFINISHED, RepairMetrics::read).getFirst();
  }

  /** The table cannot be looked at. */
  void forget() {
    last = null;
  }

  private static Unfinished read(Row row) throws SQLException {
    return new Unfinished(
        row.real("running"), row.real("awaiting_approval"), row.real("standing_still"));
  }
}
