package io.onceflow.saga.internal.messaging;

import io.onceflow.internal.database.DatabaseTransaction;
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
 * When PostgreSQL's clock is set back, the timers that it set before lie ahead by as much. How long
 * ago that was is not known, so what sagas wait for starts again: commands are resent, which
 * participants answer from their memory where they have done the step, and waits last as long as
 * ever from now on. It is looked for after a start, too: the clock may have been set back before.
 */
final class SetBackTimers {

  private static final Logger LOG = Logger.getLogger(SetBackTimers.class);

  private static final SagaEvent.Retry RETRY =
      new SagaEvent.Retry("the timers", "PostgreSQL's clock was set back");

  /** The steps of all open sagas are read. */
  private static final Duration LONGEST_STATEMENT = Duration.ofSeconds(30);

  /** The timers wait meanwhile: of very many sagas each attempt may end at its bound. */
  private static final int TURNS_AFTER_A_FAILURE = 300;

  private final LongSupplier timesSetBack;
  private final UnitOfWork unitOfWork;
  private final Duration longestBackoff;
  private final int batch;
  private long handled = -1;
  private int pause;

  /**
   * @param timesSetBack how often the clock was set back, as this replica has seen
   * @param longestBackoff after a failure of a saga's timer
   * @param batch how many sagas in one transaction
   */
  SetBackTimers(
      LongSupplier timesSetBack, UnitOfWork unitOfWork, Duration longestBackoff, int batch) {
    this.timesSetBack = timesSetBack;
    this.unitOfWork = unitOfWork;
    this.longestBackoff = longestBackoff;
    this.batch = batch;
  }

  /** Costs nothing while the clock was not set back since the last time. */
  void correct(List<? extends SagaRunner<?>> runners) {
    long times = timesSetBack.getAsLong();
    if (times == handled || pause-- > 0) {
      return;
    }
    pause = 0;
    try {
      for (SagaRunner<?> runner : runners) {
        beginAnew(runner);
        correctOthers(runner.definition());
      }
      handled = times;
    } catch (SQLException | RuntimeException e) {
      pause = TURNS_AFTER_A_FAILURE;
      LOG.warnf(
          "whether timers of sagas are ahead of PostgreSQL's clock is not known: %s; retried after"
              + " %s turns of the timers",
          e.getMessage(), TURNS_AFTER_A_FAILURE);
    }
  }

  private void beginAnew(SagaRunner<?> runner) throws SQLException {
    List<UUID> ahead = inDatabase(connection -> SentAhead.find(connection, runner.definition()));
    for (int i = 0; i < ahead.size(); i += batch) {
      List<UUID> some = ahead.subList(i, Math.min(i + batch, ahead.size()));
      try {
        unitOfWork.run(tx -> runner.retry(tx, new HashSet<>(some), RETRY));
      } catch (SQLException | RuntimeException e) {
        LOG.warnf(
            "of these sagas of %s the timers are late by as much as PostgreSQL's clock was set back"
                + " (POST /sagas/{id}/retry corrects one), since one of them cannot be handled: %s:"
                + " %s",
            runner.definition(), e.getMessage(), some);
      }
    }
    tell(ahead.size(), runner.definition());
  }

  private void correctOthers(String definition) throws SQLException {
    tell(
        inDatabase(connection -> SentAhead.correct(connection, definition, longestBackoff)),
        definition);
  }

  private <T> T inDatabase(DatabaseTransaction.Work<T> work) throws SQLException {
    return LongStatements.call(unitOfWork.database(), LONGEST_STATEMENT, work);
  }

  private static void tell(int sagas, String definition) {
    if (sagas > 0) {
      LOG.infof(
          "PostgreSQL's clock was set back: what %s sagas of %s wait for starts again",
          sagas, definition);
    }
  }
}
