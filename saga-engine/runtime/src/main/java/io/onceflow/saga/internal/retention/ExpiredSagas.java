package io.onceflow.saga.internal.retention;

import io.onceflow.internal.retention.Backlog;
import io.onceflow.internal.retention.ExpiredRows;
import io.onceflow.outbox.Outbox.Transaction;
import io.onceflow.outbox.internal.UnitOfWork;
import io.onceflow.saga.Sagas.Archive;
import io.onceflow.saga.Sagas.EndedSaga;
import io.onceflow.saga.internal.runtime.SagaConfig;
import io.onceflow.saga.internal.runtime.SagaRunners;
import io.onceflow.saga.internal.store.retention.EndedSagas;
import io.onceflow.saga.internal.store.retention.EndedSagas.Ended;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.LongSupplier;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Ended sagas whose retention is over. A walk along the primary key: it continues where it was, so
 * that it does not read again what it has deleted, which a long transaction of another session may
 * keep in the index for hours, or sagas that have not ended. Now and then it starts again, for
 * sagas that ended late and for those that could not be archived.
 */
final class ExpiredSagas implements ExpiredRows {

  private static final Logger LOG = Logger.getLogger(ExpiredSagas.class);

  /** Shorter than {@code onceflow.garbage-collection.warn-after}: a late saga raises no warning. */
  private static final Duration BEGIN_ANEW_EVERY = Duration.ofMinutes(10);

  /** So many in a batch are not the sagas' fault: the archive is unavailable. */
  private static final int MOST_FAILURES = 5;

  private final SagaRunners sagas;
  private final UnitOfWork unitOfWork;
  private final List<Archive> archives;
  private final SagaConfig config;
  private final LongSupplier nanoTime;
  private UUID position = EndedSagas.FIRST;
  private long begunAt;
  private boolean hasSkipped;
  private @Nullable UUID atHand;

  ExpiredSagas(
      SagaRunners sagas,
      UnitOfWork unitOfWork,
      List<Archive> archives,
      SagaConfig config,
      LongSupplier nanoTime) {
    this.sagas = sagas;
    this.unitOfWork = unitOfWork;
    this.archives = List.copyOf(archives);
    this.config = config;
    this.nanoTime = nanoTime;
    this.begunAt = nanoTime.getAsLong();
  }

  @Override
  public synchronized int delete(int limit) throws SQLException {
    if (nanoTime.getAsLong() - begunAt > BEGIN_ANEW_EVERY.toNanos()) {
      begunAt = nanoTime.getAsLong();
      position = EndedSagas.FIRST;
      hasSkipped = false;
    }
    try {
      return deleteNext(limit);
    } catch (SQLException | RuntimeException failure) {
      LOG.debugf(failure, "a batch of ended sagas cannot be deleted; each is retried separately");
      return deleteOneByOne(limit);
    }
  }

  private int deleteNext(int limit) throws SQLException {
    atHand = null;
    List<Ended> deleted = unitOfWork.call(tx -> delete(tx, limit));
    if (!deleted.isEmpty()) {
      position = deleted.getLast().id();
    }
    return deleted.size();
  }

  /** A saga that cannot be archived costs only itself. */
  private int deleteOneByOne(int limit) throws SQLException {
    int deleted = 0;
    int failed = 0;
    while (deleted + failed < limit) {
      try {
        if (deleteNext(1) == 0) {
          return deleted;
        }
        deleted++;
      } catch (SQLException | RuntimeException failure) {
        failed++;
        UUID saga = atHand;
        if (saga == null || failed > MOST_FAILURES) {
          throw failure;
        }
        LOG.warnf(
            failure,
            "saga %s has ended and cannot be archived and deleted; tried again within %s",
            saga,
            BEGIN_ANEW_EVERY);
        position = saga;
        hasSkipped = true;
      }
    }
    return deleted;
  }

  private List<Ended> delete(Transaction tx, int limit) throws SQLException {
    List<Ended> expired = EndedSagas.lock(tx.connection(), position, config.retention(), limit);
    if (!expired.isEmpty()) {
      atHand = expired.getLast().id();
      archive(tx, expired);
      EndedSagas.delete(
          tx.connection(), expired.stream().map(Ended::id).toList(), config.rootKeyRetention());
    }
    return expired;
  }

  private void archive(Transaction tx, List<Ended> expired) throws SQLException {
    if (archives.isEmpty()) {
      return;
    }
    List<EndedSaga> ended = new ArrayList<>();
    for (Ended saga : expired) {
      sagas.view(tx, saga.id()).ifPresent(view -> ended.add(new EndedSaga(saga.subjectId(), view)));
    }
    for (Archive archive : archives) {
      archive.archive(tx, ended);
    }
  }

  /** Counts those that were skipped, too. */
  @Override
  public synchronized Backlog backlog() throws SQLException {
    UUID after = hasSkipped ? EndedSagas.FIRST : position;
    return unitOfWork.call(tx -> EndedSagas.backlog(tx.connection(), after, config.retention()));
  }
}
