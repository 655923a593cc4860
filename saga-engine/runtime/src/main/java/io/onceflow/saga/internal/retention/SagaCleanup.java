package io.onceflow.saga.internal.retention;

import io.onceflow.inbox.internal.InboxConfig;
import io.onceflow.internal.retention.GarbageCollection;
import io.onceflow.internal.retention.GarbageCollector;
import io.onceflow.outbox.internal.UnitOfWork;
import io.onceflow.saga.Sagas.Archive;
import io.onceflow.saga.internal.runtime.SagaConfig;
import io.onceflow.saga.internal.runtime.SagaRunners;
import io.onceflow.saga.internal.store.retention.UsedRootKeys;
import io.quarkus.arc.All;
import io.quarkus.runtime.StartupEvent;
import jakarta.annotation.Priority;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.interceptor.Interceptor;
import java.sql.SQLException;
import java.util.List;

/**
 * Garbage collection of ended sagas, and of the root keys that are remembered of them. See {@code
 * onceflow.garbage-collection} and {@code onceflow.saga.retention}.
 */
@ApplicationScoped
public class SagaCleanup {

  /** Before anything is consumed. */
  private static final int FIRST = 1;

  /** When everything else runs. */
  private static final int LAST = Interceptor.Priority.APPLICATION + 1000;

  /** The saga, three steps and the lines of their history, or somewhat more. */
  private static final int ROWS_OF_EACH = 10;

  private final SagaConfig config;
  private final InboxConfig inbox;
  private final GarbageCollector sagas;
  private final GarbageCollector rootKeys;

  SagaCleanup(
      SagaRunners runners,
      UnitOfWork unitOfWork,
      SagaConfig config,
      InboxConfig inbox,
      GarbageCollection collection,
      @All List<Archive> archives) {
    this.config = config;
    this.inbox = inbox;
    UnitOfWork transactions = runners.transactions(unitOfWork);
    this.sagas =
        collection.of(
            "saga_instance",
            ROWS_OF_EACH,
            new ExpiredSagas(runners, transactions, archives, config, System::nanoTime));
    this.rootKeys = collection.of(UsedRootKeys.OF_DELETED_SAGAS);
  }

  void check(@Observes @Priority(FIRST) StartupEvent starting) {
    SagaRetentionInvalid.check(config, inbox);
  }

  void start(@Observes @Priority(LAST) StartupEvent started) {
    if (!config.retention().isZero()) {
      sagas.start();
    }
    rootKeys.start();
  }

  /**
   * Takes one turn now: deletes sagas whose retention is over, batch after batch, until a batch is
   * not full or the turn has lasted long enough.
   *
   * @return how many were deleted
   */
  public int deleteExpired() throws SQLException {
    return config.retention().isZero() ? 0 : sagas.collect();
  }
}
