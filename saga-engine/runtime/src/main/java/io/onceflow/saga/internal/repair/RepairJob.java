package io.onceflow.saga.internal.repair;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.micrometer.core.instrument.MeterRegistry;
import io.onceflow.internal.watchdog.IdlePace;
import io.onceflow.internal.watchdog.PeriodicTask;
import io.onceflow.outbox.internal.UnitOfWork;
import io.onceflow.saga.internal.runtime.SagaRunners;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import jakarta.annotation.Priority;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.interceptor.Interceptor;
import java.sql.SQLException;
import java.time.Duration;
import java.util.UUID;
import org.jboss.logging.Logger;

/**
 * Works on repairs, a turn each second; while there is none it looks for them every five seconds.
 */
@ApplicationScoped
class RepairJob {

  private static final Logger LOG = Logger.getLogger(RepairJob.class);

  /** When everything else runs. */
  private static final int LAST = Interceptor.Priority.APPLICATION + 1000;

  private static final Duration EVERY = Duration.ofSeconds(1);

  private final UnitOfWork unitOfWork;
  private final RepairLease lease;
  private final RepairMetrics metrics;
  private final RepairTurn turn;
  private final PeriodicTask task = new PeriodicTask("saga-repairs", this::work);
  private final IdlePace pace = new IdlePace(EVERY.dividedBy(2));
  private volatile boolean isRunning;

  RepairJob(
      UnitOfWork unitOfWork,
      SagaRunners sagas,
      RepairConfig config,
      ObjectMapper json,
      MeterRegistry registry) {
    this.unitOfWork = sagas.transactions(unitOfWork);
    RepairRows rows = new RepairRows(json);
    this.lease = new RepairLease(UUID.randomUUID(), config.lease(), rows);
    this.metrics = new RepairMetrics(registry);
    this.turn =
        new RepairTurn(
            this.unitOfWork, lease, rows, sagas::request, config, metrics, () -> isRunning);
  }

  void start(@Observes @Priority(LAST) StartupEvent started) {
    isRunning = true;
    task.start(EVERY, EVERY);
  }

  /** Returns after the saga under way; another replica goes on at once. */
  void stop(@Observes @Priority(1) ShutdownEvent stopping) {
    isRunning = false;
    synchronized (this) {
      task.close();
      try {
        unitOfWork.run(tx -> lease.giveBack(tx.connection()));
      } catch (SQLException | RuntimeException e) {
        LOG.debugf(e, "repairs cannot be given back; another replica has them after their lease");
      }
    }
  }

  private synchronized void work() throws SQLException {
    if (!isRunning || !pace.isDue()) {
      return;
    }
    try {
      if (turn.take()) {
        pace.busy();
      }
      if (metrics.isDue()) {
        unitOfWork.run(tx -> metrics.look(tx.connection()));
      }
    } catch (SQLException | RuntimeException | Error e) {
      pace.busy();
      metrics.forget();
      throw e;
    }
  }
}
