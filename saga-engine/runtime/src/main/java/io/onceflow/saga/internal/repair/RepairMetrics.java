package io.onceflow.saga.internal.repair;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.TimeGauge;
import io.onceflow.outbox.internal.UnitOfWork;
import io.onceflow.sql.Sql;
import io.onceflow.sql.Sql.Row;
import jakarta.enterprise.context.ApplicationScoped;
import java.sql.SQLException;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * Metrics of repairs. Numbers of the table are the same on every replica, and have no value while
 * the database is unavailable.
 */
@ApplicationScoped
class RepairMetrics {

  private static final long EVERY_NANOS = TimeUnit.SECONDS.toNanos(10);

  /** The time while it did not run is no standstill. */
  private static final String UNFINISHED =
      """
      SELECT count(*) FILTER (WHERE status = 'RUNNING')           AS running,
             count(*) FILTER (WHERE status = 'AWAITING_APPROVAL') AS awaiting_approval,
             greatest(0, extract(epoch FROM now() - min(greatest(spent_until, progressed_at))
                                                      FILTER (WHERE status = 'RUNNING'))) AS standing_still
      FROM   saga_repair repair
      LEFT   JOIN LATERAL (SELECT max(at) AS progressed_at
                           FROM   saga_repair_item
                           WHERE  repair_id = repair.id) AS marks ON repair.status = 'RUNNING'
      WHERE  finished_at IS NULL
      """;

  private final MeterRegistry registry;
  private volatile @Nullable Unfinished last;
  private long lookedAt = System.nanoTime() - EVERY_NANOS;

  private record Unfinished(double running, double awaitingApproval, double standingStill) {

    static Unfinished of(Row row) throws SQLException {
      return new Unfinished(
          row.real("running"), row.real("awaiting_approval"), row.real("standing_still"));
    }
  }

  RepairMetrics(MeterRegistry registry) {
    this.registry = registry;
    for (RepairOutcome outcome : RepairOutcome.values()) {
      count(outcome, 0);
    }
    gauge("RUNNING", Unfinished::running);
    gauge("AWAITING_APPROVAL", Unfinished::awaitingApproval);
    TimeGauge.builder(
            "onceflow.repairs.standing.still",
            () -> read(Unfinished::standingStill),
            TimeUnit.SECONDS)
        .description("For how long the running repair that has waited longest has not progressed")
        .register(registry);
  }

  private void gauge(String status, ToDoubleFunction<Unfinished> number) {
    Gauge.builder("onceflow.repairs.unfinished", () -> read(number))
        .description("Repairs that are not finished, by status; the same number on every replica")
        .tag("status", status)
        .register(registry);
  }

  private @Nullable Number read(ToDoubleFunction<Unfinished> number) {
    Unfinished seen = last;
    return seen == null ? null : number.applyAsDouble(seen);
  }

  /** A saga of a repair has got this outcome. */
  void count(RepairOutcome outcome) {
    count(outcome, 1);
  }

  private void count(RepairOutcome outcome, int sagas) {
    if (outcome != RepairOutcome.PENDING) {
      registry
          .counter("onceflow.repairs.sagas", "outcome", outcome.name().toLowerCase(Locale.ROOT))
          .increment(sagas);
    }
  }

  /** Looks at the table, every ten seconds. */
  void look(UnitOfWork unitOfWork) throws SQLException {
    if (System.nanoTime() - lookedAt >= EVERY_NANOS) {
      lookedAt = System.nanoTime();
      last =
          unitOfWork.call(tx -> Sql.query(tx.connection(), UNFINISHED, Unfinished::of)).getFirst();
    }
  }

  /** The table cannot be looked at. */
  void forget() {
    last = null;
  }
}
