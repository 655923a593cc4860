package io.onceflow.idempotency.internal.execution;

import io.onceflow.core.internal.ScopedKey;
import io.onceflow.idempotency.internal.store.IdempotencyStore;
import io.onceflow.idempotency.internal.store.IdempotencyUnusable;
import io.onceflow.idempotency.internal.store.SharedRecords;
import io.onceflow.idempotency.internal.store.SharedRecords.Decided;
import io.onceflow.idempotency.internal.store.SharedRecords.Keeping;
import io.onceflow.internal.database.FailureKind;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Commits groups: records, answers and business rows of all in one transaction (rule 1). If a group
 * fails, its requests are tried again one by one, so that one that cannot be written fails alone.
 * That is safe even if the outcome of the commit is unknown, since committed requests are found
 * under their keys.
 */
@ApplicationScoped
class SharedCommits {

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

  sealed interface Settled {

    /** It is stored, or another claim of its key was found. */
    record Tried(Keeping keeping) implements Settled {}

    /** It failed. Nothing was done if the database was unreachable before the commit was sent. */
    record Failed(Throwable failure, boolean isNothingDone) implements Settled {}

    /** It takes longer than its caller may wait: it may be stored or not. */
    record Unknown(IdempotencyUnusable why) implements Settled {}
  }

  /** The failure of a group. */
  private record End(Throwable failure, boolean isInDoubt, boolean isAway) {

    Settled of(boolean isInDoubtBefore) {
      return new Settled.Failed(failure, isAway && !isInDoubt && !isInDoubtBefore);
    }
  }

  /** Commits all of them; throws nothing that concerns a single one. */
  List<Settled> settle(List<Pending> group) {
    List<Settled> settled = new ArrayList<>(group.size());
    End end = tryAll(group, settled);
    if (end == null) {
      return settled;
    }
    if (group.size() == 1 || end.isAway) {
      return group.stream().map(pending -> end.of(false)).toList();
    }
    return oneByOne(group, end.isInDoubt);
  }

  private List<Settled> oneByOne(List<Pending> group, boolean isInDoubt) {
    List<Settled> settled = new ArrayList<>(group.size());
    End away = null;
    for (Pending pending : group) {
      End end = away == null ? tryAll(List.of(pending), settled) : away;
      if (end != null) {
        settled.add(end.of(isInDoubt));
        away = end.isAway ? end : null;
      }
    }
    return settled;
  }

  /** Null if they were committed; else nothing was added. */
  private @Nullable End tryAll(List<Pending> group, List<Settled> settled) {
    boolean isCommitting = false;
    transaction.begin();
    try {
      List<Keeping> keepings = records().keep(group.stream().map(Pending::decided).toList());
      SharedItems items = new SharedItems();
      for (int i = 0; i < group.size(); i++) {
        if (keepings.get(i) instanceof Keeping.Kept) {
          items.addAll(group.get(i).items);
        }
      }
      items.writeAll();
      isCommitting = true;
      transaction.commit(group.getFirst().key());
      keepings.forEach(keeping -> settled.add(new Settled.Tried(keeping)));
      return null;
    } catch (Exception | Error e) {
      return new End(e, isCommitting, FailureKind.of(e) == FailureKind.DATABASE_AWAY);
    } finally {
      transaction.rollBackIfOpen();
    }
  }

  private SharedRecords records() {
    return store.shared().orElseThrow();
  }
}
