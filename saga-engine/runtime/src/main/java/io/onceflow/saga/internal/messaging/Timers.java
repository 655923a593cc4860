package io.onceflow.saga.internal.messaging;

import io.onceflow.internal.database.DatabaseWatch;
import io.onceflow.internal.tracing.LogContext;
import io.onceflow.internal.watchdog.PeriodicTask;
import io.onceflow.outbox.internal.UnitOfWork;
import io.onceflow.saga.internal.runtime.SagaConfig;
import io.onceflow.saga.internal.runtime.SagaRunner;
import io.onceflow.saga.internal.runtime.SagaRunners;
import io.onceflow.saga.internal.store.LockedSaga;
import io.onceflow.saga.internal.store.SagaOrigin;
import io.onceflow.saga.internal.store.view.OpenSagas;
import jakarta.enterprise.context.ApplicationScoped;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.jboss.logging.Logger;

/**
 * The timers of sagas. Every replica runs them; {@code SKIP LOCKED} shares the work. While the
 * database is unavailable they log it once and try again at the next interval. A saga that cannot
 * be handled does not stop the others. The application's lifecycle starts and stops them.
 */
@ApplicationScoped
public class Timers {

  private static final Logger LOG = Logger.getLogger(Timers.class);

  /** Sagas whose timers fire in one transaction. */
  private static final int BATCH = 200;

  /** Sagas of a batch that get a log line of their own when they become STUCK. */
  private static final int MOST_NAMED = 10;

  /**
   * Of so many sweeps one looks for timers of all times, the others for those of the last sweeps.
   */
  private static final int WHOLE_SWEEP = 10;

  /** Intervals without a look after one that says that no timer falls due within them. */
  private static final int QUIET = 4;

  /** Longer than most transactions take: a timer is seen when its transaction commits. */
  private static final Duration MARGIN = Duration.ofSeconds(5);

  private final SagaRunners sagas;
  private final UnitOfWork unitOfWork;
  private final TimerSweep sweep;
  private final SetBackTimers setBack;
  private final SagaConfig config;
  private final PeriodicTask task = new PeriodicTask("saga-timers", this::fireDueSagas);
  private volatile boolean isRunning;
  private int sweeps;
  private int quiet;

  /** Definitions whose timers cannot be handled, which was logged. */
  private final Set<String> failing = ConcurrentHashMap.newKeySet();

  Timers(SagaRunners sagas, UnitOfWork unitOfWork, SagaConfig config, DatabaseWatch watch) {
    this.sagas = sagas;
    this.unitOfWork = sagas.transactions(unitOfWork);
    this.sweep = new TimerSweep(this.unitOfWork, config.failurePolicy(), BATCH);
    this.setBack =
        new SetBackTimers(
            watch::timesSetBack, this.unitOfWork, config.failurePolicy().longestBackoff(), BATCH);
    this.config = config;
  }

  /** From now on timers fire. */
  public void start() {
    isRunning = true;
    task.start(config.firstSweepAfter(), config.timerInterval());
  }

  /** Returns after the transaction under way; none follows. */
  public void stop() {
    isRunning = false;
    synchronized (this) {
      task.close();
    }
  }

  private synchronized void fireDueSagas() {
    if (isRunning) {
      setBack.correct(sagas.all());
    }
    if (isRunning && quiet-- <= 0 && mayBeDue()) {
      quiet = 0;
      inTurns(sagas.all(), runner -> isRunning && fireDue(runner));
    }
  }

  /**
   * One statement for all definitions. If it fails the sweep logs why, and the next looks at all
   * times.
   */
  private boolean mayBeDue() {
    if (sweeps++ % WHOLE_SWEEP == 0) {
      return true;
    }
    quiet = QUIET;
    try (Connection connection = unitOfWork.database().getConnection()) {
      return OpenSagas.mayBeDue(
          connection,
          sagas.all().stream().map(SagaRunner::definition).toList(),
          config.timerInterval().multipliedBy(WHOLE_SWEEP * (QUIET + 1)).plus(MARGIN),
          config.timerInterval().multipliedBy(QUIET + 1));
    } catch (SQLException | RuntimeException e) {
      LOG.debug("whether timers are due is not known", e);
      sweeps = 0;
      return true;
    }
  }

  /** A batch of each, then one more of those that have more: a backlog of one delays no other. */
  static <T> void inTurns(List<T> all, Predicate<? super T> hasMore) {
    List<T> left = all;
    while (!left.isEmpty()) {
      left = left.stream().filter(hasMore).toList();
    }
  }

  /**
   * Fires a batch; a failure of one definition's sagas does not stop the others.
   *
   * @return whether more of them may be due
   */
  private boolean fireDue(SagaRunner<?> runner) {
    boolean isFull = false;
    try {
      isFull = sweep(runner) == BATCH;
      task.turned();
      if (failing.remove(runner.definition())) {
        LOG.infof("timers of sagas %s fire again", runner.definition());
      }
    } catch (SQLException | RuntimeException | Error e) {
      if (failing.add(runner.definition())) {
        LOG.warnf(
            "timers of sagas %s could not fire: %s; tried again at the next sweep",
            runner.definition(), e.getMessage());
      }
      LOG.debugf(e, "timers of sagas %s could not fire", runner.definition());
    }
    return isFull;
  }

  private int sweep(SagaRunner<?> runner) throws SQLException {
    TimerSweep.Swept swept = sweep.sweep(runner);
    named(swept.stuck()).forEach(this::warn);
    int others = swept.stuck().size() - named(swept.stuck()).size();
    if (others > 0) {
      LOG.warnf(
          "%s more sagas of %s became STUCK at the same time; GET /sagas?status=STUCK lists them",
          others, runner.definition());
    }
    return swept.due();
  }

  static <T> List<T> named(List<T> stuck) {
    return stuck.subList(0, Math.min(MOST_NAMED, stuck.size()));
  }

  private void warn(LockedSaga<?> stuck) {
    UUID id = stuck.state().id();
    SagaOrigin origin = stuck.origin();
    String steps = stuck.becameStuck().orElse("");
    LogContext.saga(id, origin.subjectId(), steps, origin.traceparent())
        .run(
            () ->
                LOG.warnf(
                    "saga %s of %s is STUCK: %s was sent %s times and is not answered. It is still"
                        + " resent, every %s. See why the participant does not answer, then POST"
                        + " /sagas/%s/retry (docs/operations/operations.md#stuck)",
                    id,
                    stuck.state().definition(),
                    steps,
                    config.stuckAfter(),
                    config.stuckWait(),
                    id));
  }
}
