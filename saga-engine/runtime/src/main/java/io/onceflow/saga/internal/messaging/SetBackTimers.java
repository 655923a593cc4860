package io.onceflow.saga.internal.messaging;

import io.onceflow.internal.database.LongStatements;
import io.onceflow.outbox.internal.UnitOfWork;
import io.onceflow.saga.internal.engine.SagaEvent;
import io.onceflow.saga.internal.runtime.SagaRunner;
import io.onceflow.saga.internal.store.SentAhead;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.UUID;
import java.util.function.LongSupplier;
import org.jboss.logging.Logger;

/**
 * When PostgreSQL's clock is set back, the timers of what was sent before that lie ahead by as
 * much. How long ago it was sent is not known, so it is resent at once: participants answer a step
 * that they have done as before.
 */
final class SetBackTimers {

  private static final Logger LOG = Logger.getLogger(SetBackTimers.class);

  private static final SagaEvent.Retry RETRY =
      new SagaEvent.Retry("the timers", "PostgreSQL's clock was set back");

  /** The steps of all open sagas are read. */
  private static final Duration LONGEST_STATEMENT = Duration.ofSeconds(30);

  private final LongSupplier timesSetBack;
  private final UnitOfWork unitOfWork;
  private final int batch;
  private long handled;

  /**
   * @param timesSetBack how often the clock was set back, as this replica has seen
   * @param batch how many sagas in one transaction
   */
  SetBackTimers(LongSupplier timesSetBack, UnitOfWork unitOfWork, int batch) {
    this.timesSetBack = timesSetBack;
    this.unitOfWork = unitOfWork;
    this.batch = batch;
  }

  /** Costs nothing while the clock was not set back since the last time. */
  void sendAgain(List<? extends SagaRunner<?>> runners) {
    long times = timesSetBack.getAsLong();
    if (times == handled) {
      return;
    }
    try {
      for (SagaRunner<?> runner : runners) {
        sendAgain(runner);
      }
      handled = times;
    } catch (SQLException | RuntimeException e) {
      LOG.warnf(
          "PostgreSQL's clock was set back, and sagas with timers ahead are not read: %s; retrying",
          e.getMessage());
    }
  }

  private void sendAgain(SagaRunner<?> runner) throws SQLException {
    List<UUID> ahead =
        LongStatements.call(
            unitOfWork.database(),
            LONGEST_STATEMENT,
            connection -> SentAhead.find(connection, runner.definition()));
    for (int i = 0; i < ahead.size(); i += batch) {
      List<UUID> some = ahead.subList(i, Math.min(i + batch, ahead.size()));
      try {
        unitOfWork.run(tx -> runner.retry(tx, new HashSet<>(some), RETRY));
      } catch (SQLException | RuntimeException e) {
        LOG.warnf(
            "of these sagas of %s the timers are late by as much as PostgreSQL's clock was set back"
                + " (POST /sagas/{id}/retry sends at once), since one of them cannot be handled: %s:"
                + " %s",
            runner.definition(), e.getMessage(), some);
      }
    }
    if (!ahead.isEmpty()) {
      LOG.infof(
          "what %s sagas of %s had sent before PostgreSQL's clock was set back is resent",
          ahead.size(), runner.definition());
    }
  }
}
