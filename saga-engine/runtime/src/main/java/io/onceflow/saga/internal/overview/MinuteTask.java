package io.onceflow.saga.internal.overview;

import io.onceflow.internal.watchdog.PeriodicTask;
import io.onceflow.outbox.internal.UnitOfWork;
import io.onceflow.saga.internal.overview.Overview.OutboxBacklog;
import io.onceflow.saga.internal.runtime.MinuteCounter;
import io.onceflow.saga.internal.runtime.SagaConfig;
import io.onceflow.saga.internal.runtime.SagaRunners;
import io.onceflow.saga.internal.store.minute.MinuteTally;
import io.onceflow.saga.internal.store.minute.SagaMinutes;
import io.onceflow.saga.internal.store.minute.SagaMinutes.Backlog;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import jakarta.annotation.Priority;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.interceptor.Interceptor;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.jboss.logging.Logger;

/**
 * Adds once a minute what this replica counted to what is kept by minute, and deletes what is too
 * old. While the database is unavailable the counts wait in memory, those of an hour at most.
 */
@ApplicationScoped
class MinuteTask {

  private static final Logger LOG = Logger.getLogger(MinuteTask.class);

  /** When everything else runs. */
  private static final int LAST = Interceptor.Priority.APPLICATION + 1000;

  private static final Duration EVERY = Duration.ofMinutes(1);
  private static final int MOST_UNWRITTEN = 60;

  private final MinuteCounter counter;
  private final Overviews overviews;
  private final UnitOfWork unitOfWork;
  private final Clock clock;
  private final Duration retention;
  private final Deque<List<MinuteTally>> unwritten = new ArrayDeque<>();
  private final PeriodicTask task = new PeriodicTask("saga-minutes", this::write);

  MinuteTask(
      MinuteCounter counter,
      Overviews overviews,
      SagaRunners sagas,
      UnitOfWork unitOfWork,
      Clock clock,
      SagaConfig config) {
    this.counter = counter;
    this.overviews = overviews;
    this.unitOfWork = sagas.transactions(unitOfWork);
    this.clock = clock;
    this.retention = config.minutesRetention();
  }

  void start(@Observes @Priority(LAST) StartupEvent started) {
    if (!retention.isZero()) {
      task.start(EVERY, EVERY);
    }
  }

  /** The last counts are written while the database can still be reached. */
  void stop(@Observes @Priority(1) ShutdownEvent stopping) {
    task.close();
    try {
      writeCounts();
    } catch (SQLException | RuntimeException e) {
      LOG.debug("the last minute is not counted", e);
    }
  }

  /** Writes now what was counted, and what waits. */
  void write() throws SQLException {
    writeCounts();
    Instant now = clock.instant();
    OutboxBacklog outbox = overviews.outbox();
    Backlog backlog =
        new Backlog(now, overviews.counted().open().all(), outbox.messages(), outbox.oldestAgeMs());
    unitOfWork.run(
        tx -> {
          SagaMinutes.seen(tx.connection(), backlog);
          SagaMinutes.forget(tx.connection(), now, retention);
        });
  }

  private synchronized void writeCounts() throws SQLException {
    List<MinuteTally> taken = counter.take();
    if (!taken.isEmpty()) {
      unwritten.add(taken);
    }
    if (unwritten.size() > MOST_UNWRITTEN) {
      unwritten.remove();
    }
    while (!unwritten.isEmpty()) {
      unitOfWork.run(tx -> SagaMinutes.add(tx.connection(), unwritten.element()));
      unwritten.remove();
    }
  }
}
