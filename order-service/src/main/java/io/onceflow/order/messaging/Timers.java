package io.onceflow.order.messaging;

import io.onceflow.order.saga.OrderSagas;
import io.onceflow.outbox.UnitOfWork;
import io.quarkus.scheduler.Scheduled;
import io.quarkus.scheduler.Scheduled.ConcurrentExecution;
import jakarta.enterprise.context.ApplicationScoped;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jboss.logging.Logger;

/**
 * What happens by the clock. Every replica runs these; {@code SKIP LOCKED} shares the work. While
 * the database is away they say so once and try again at their next turn.
 */
@ApplicationScoped
class Timers {

  private static final Logger LOG = Logger.getLogger(Timers.class);

  /** Sagas whose timers fire in one transaction. */
  private static final int BATCH = 200;

  private final OrderSagas sagas;
  private final UnitOfWork unitOfWork;
  private final AtomicBoolean failing = new AtomicBoolean();

  Timers(OrderSagas sagas, UnitOfWork unitOfWork) {
    this.sagas = sagas;
    this.unitOfWork = unitOfWork;
  }

  @Scheduled(
      every = "${onceflow.saga.timer-interval}",
      concurrentExecution = ConcurrentExecution.SKIP)
  void fireDueSagas() {
    attempt(
        "timers of sagas",
        () -> {
          while (unitOfWork.call(tx -> sagas.fireDue(tx, BATCH)) == BATCH) {
            LOG.debugf("a full batch of %d sagas was due; more may be", BATCH);
          }
        });
  }

  private void attempt(String what, Task task) {
    try {
      task.run();
      if (failing.getAndSet(false)) {
        LOG.infof("%s are looked after again", what);
      }
    } catch (SQLException | RuntimeException e) {
      if (!failing.getAndSet(true)) {
        LOG.warnf(
            "%s cannot be looked after: %s; tried again at the next turn", what, e.getMessage());
      }
      LOG.debugf(e, "%s cannot be looked after", what);
    }
  }

  @FunctionalInterface
  private interface Task {
    void run() throws SQLException;
  }
}
