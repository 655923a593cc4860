package io.onceflow.idempotency.internal.execution;

import io.onceflow.core.internal.ScopedKey;
import io.onceflow.idempotency.internal.store.IdempotencyStore;
import io.onceflow.idempotency.internal.store.IdempotencyUnusable;
import io.onceflow.idempotency.internal.store.SharedRecords;
import io.onceflow.idempotency.internal.store.SharedRecords.Decided;
import io.onceflow.idempotency.internal.store.SharedRecords.WriteResult;
import io.onceflow.internal.database.FailureKind;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Commits groups: records, answers and business rows of all in one transaction (rule 1). If a group
 * fails, its requests are retried one by one, so that one that cannot be written fails alone. That
 * is safe even if the outcome of the commit is unknown, since committed requests are found under
 * their keys.
 */
@ApplicationScoped
class SharedCommits {

  private static final int MOST_ATTEMPTS = 5;

  /** After this time another attempt would use up what the caller may still wait. */
  private static final long LONGEST_RACE_NANOS = Duration.ofSeconds(2).toNanos();

  private final IdempotencyStore store;
  private final JtaTransaction transaction;

  SharedCommits(IdempotencyStore store, JtaTransaction transaction) {
    this.store = store;
    this.transaction = transaction;
  }

  /**
   * A request that waits for its commit.
   *
   * @param items written if it is the first request under its key
   */
  record Pending(Decided decided, SharedItems items) {

    ScopedKey key() {
      return decided.request().key();
    }
  }

  sealed interface CommitResult {

    /** It is stored, or another claim of its key was found. */
    record Ended(WriteResult result) implements CommitResult {}

    /**
     * It failed.
     *
     * @param isToBeRepeated whether nothing was done for a reason that passes: the database was
     *     unreachable before the commit was sent, or other transactions were in the way
     */
    record Failed(Throwable failure, boolean isToBeRepeated) implements CommitResult {}

    /** The commit was sent, and not answered in time or at all: it may be stored or not. */
    record Unknown(IdempotencyUnusable why) implements CommitResult {}
  }

  /** The failure of a group. */
  private record End(Throwable failure, boolean isInDoubt, FailureKind kind) {

    boolean isAway() {
      return kind == FailureKind.DATABASE_AWAY;
    }

    CommitResult of(ScopedKey key) {
      return isInDoubt && failure instanceof Exception exception
          ? new CommitResult.Unknown(new IdempotencyUnusable(key, exception))
          : new CommitResult.Failed(failure, kind != FailureKind.OTHER);
    }
  }

  /** Commits all of them; throws nothing that concerns a single one. */
  List<CommitResult> settle(List<Pending> group) {
    List<CommitResult> settled = new ArrayList<>(group.size());
    End end = tryAll(group, settled);
    if (end == null) {
      return settled;
    }
    if (end.isAway()) {
      return group.stream().map(pending -> end.of(pending.key())).toList();
    }
    return oneByOne(group, end);
  }

  /** If the database becomes unavailable meanwhile, nothing was sent for those that are left. */
  private List<CommitResult> oneByOne(List<Pending> group, End first) {
    List<CommitResult> settled = new ArrayList<>(group.size());
    End away = null;
    for (Pending pending : group) {
      End end = away == null ? tryAlone(pending, group.size() == 1 ? first : null, settled) : away;
      if (end != null) {
        settled.add(end.of(pending.key()));
        away = end.isAway() ? new End(end.failure, false, end.kind) : null;
      }
    }
    return settled;
  }

  /** A race that it has lost is over when it is retried, so that is done at once. */
  private @Nullable End tryAlone(
      Pending pending, @Nullable End before, List<CommitResult> settled) {
    long begun = System.nanoTime();
    End end = before == null ? tryAll(List.of(pending), settled) : before;
    for (int again = 1;
        again < MOST_ATTEMPTS
            && end != null
            && end.kind == FailureKind.RACE
            && System.nanoTime() - begun < LONGEST_RACE_NANOS;
        again++) {
      end = tryAll(List.of(pending), settled);
    }
    return end;
  }

  /** Null if they were committed; else nothing was added. */
  private @Nullable End tryAll(List<Pending> group, List<CommitResult> settled) {
    boolean isCommitting = false;
    transaction.begin();
    try {
      List<WriteResult> results = records().write(group.stream().map(Pending::decided).toList());
      SharedItems items = new SharedItems();
      for (int i = 0; i < group.size(); i++) {
        if (results.get(i) instanceof WriteResult.Written) {
          items.addAll(group.get(i).items);
        }
      }
      items.writeAll();
      isCommitting = true;
      transaction.commit(group.getFirst().key());
      results.forEach(result -> settled.add(new CommitResult.Ended(result)));
      return null;
    } catch (Exception | Error e) {
      FailureKind kind = FailureKind.of(e);
      return new End(e, isCommitting && kind == FailureKind.DATABASE_AWAY, kind);
    } finally {
      transaction.rollBackIfOpen();
    }
  }

  private SharedRecords records() {
    return store.shared().orElseThrow();
  }
}
