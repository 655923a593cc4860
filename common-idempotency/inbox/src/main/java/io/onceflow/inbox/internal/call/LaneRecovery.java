package io.onceflow.inbox.internal.call;

import io.onceflow.inbox.internal.DueSteps;
import io.onceflow.inbox.internal.InboxRow;
import io.onceflow.inbox.internal.participant.CommandTransactions;
import io.onceflow.internal.database.FailureKind;
import io.onceflow.outbox.internal.UnitOfWork;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Takes over steps that are due, lane by lane as far as each has room, and within a lane in turns
 * of the scopes. A full lane costs nothing, and holds up no other.
 */
public final class LaneRecovery {

  /** From one step of each scope upwards: the scopes with few are served before those with many. */
  private static final int GROWTH = 4;

  private final UnitOfWork unitOfWork;
  private final CommandTransactions transactions;
  private final CallExecutor executor;
  private final int largestBatch;

  /** The scope of each type where the next turn continues. */
  private final Map<String, String> cursors = new HashMap<>();

  /** How many calls of the type whose turn it is may begin. */
  private int turns = Integer.MAX_VALUE;

  private volatile boolean hasDueSteps;

  public LaneRecovery(
      UnitOfWork unitOfWork,
      CommandTransactions transactions,
      CallExecutor executor,
      int largestBatch) {
    this.unitOfWork = unitOfWork;
    this.transactions = transactions;
    this.executor = executor;
    this.largestBatch = largestBatch;
  }

  /**
   * Takes a turn, for one caller at a time.
   *
   * @return how many steps were taken over
   */
  public synchronized int recover() throws SQLException {
    Set<String> types = unitOfWork.call(transactions::startedTypes);
    hasDueSteps = !types.isEmpty();
    cursors.keySet().retainAll(types);
    executor.types().stream()
        .filter(type -> !types.contains(type))
        .forEach(type -> noteCaughtUp(type, room(type)));
    int count = 0;
    turns = Integer.MAX_VALUE;
    for (String type : types) {
      count += transactions.limits().isLimited(type) ? recoverLimited(type) : recover(type);
    }
    return count;
  }

  /** Takes over no more steps than calls of their type may begin now. */
  private int recoverLimited(String type) throws SQLException {
    CallLimits limits = transactions.limits();
    int wanted = room(type);
    if (wanted == 0) {
      return 0;
    }
    turns = unitOfWork.call(tx -> limits.take(tx.connection(), type, wanted));
    try {
      return recover(type);
    } finally {
      int unused = turns;
      turns = Integer.MAX_VALUE;
      if (unused > 0) {
        unitOfWork.run(tx -> limits.giveBack(tx.connection(), type, unused));
      }
    }
  }

  /** Whether steps were due at the last turn, taken over or not. */
  public boolean hasDueSteps() {
    return hasDueSteps;
  }

  /** A step that cannot be decided about, or whose row is locked, holds up nothing but itself. */
  private int recover(String type) throws SQLException {
    try {
      return recoverInTurns(type);
    } catch (SQLException | RuntimeException | Error failure) {
      if (FailureKind.of(failure) == FailureKind.DATABASE_AWAY) {
        throw failure;
      }
      return recoverOneByOne(type);
    }
  }

  private int recoverInTurns(String type) throws SQLException {
    int count = 0;
    for (int perScope = 1; perScope <= largestBatch; perScope *= GROWTH) {
      int room = room(type);
      int taken = recoverUpTo(room, type, perScope);
      count += taken;
      if (taken == 0) {
        noteCaughtUp(type, room);
        break;
      }
    }
    return count;
  }

  /** Nothing is due but, maybe, steps of scopes that have no room. */
  private void noteCaughtUp(String type, int room) {
    CallLane<?> lane = executor.lane(type);
    if (room > 0 && lane.fullFor(1).isEmpty()) {
      lane.caughtUp();
    }
  }

  private int room(String type) {
    return Math.min(turns, Math.min(executor.lane(type).room(), largestBatch));
  }

  /** One round through the scopes: on from where the last one ended, and from the start again. */
  private int recoverUpTo(int most, String type, int perScope) throws SQLException {
    int taken = 0;
    String before = cursors.get(type);
    if (before != null) {
      taken += recoverBefore(before, most, type, perScope);
    }
    if (!cursors.containsKey(type)) {
      taken += recoverBefore(null, most - taken, type, perScope);
    }
    return taken;
  }

  private int recoverBefore(@Nullable String before, int most, String type, int perScope)
      throws SQLException {
    if (most <= 0) {
      return 0;
    }
    DueSteps due = due(type, before, Math.max(most / perScope, 1), Math.min(perScope, most));
    CommandTransactions.Recovered recovered = take(due);
    recovered.scopes().stream()
        .min(String::compareTo)
        .filter(last -> recovered.scopes().size() == due.scopes())
        .ifPresentOrElse(last -> cursors.put(type, last), () -> cursors.remove(type));
    return recovered.count();
  }

  private DueSteps due(String type, @Nullable String before, int scopes, int perScope) {
    return new DueSteps(type, before, executor.lane(type).fullFor(perScope), scopes, perScope);
  }

  private CommandTransactions.Recovered take(DueSteps due) throws SQLException {
    return begun(unitOfWork.call(tx -> transactions.recover(tx, due)));
  }

  private CommandTransactions.Recovered begun(CommandTransactions.Recovered recovered) {
    turns -= recovered.count();
    executor.begin(recovered.begun());
    return recovered;
  }

  private int recoverOneByOne(String type) throws SQLException {
    int room = room(type);
    int count = 0;
    for (InboxRow.Id id : room > 0 ? dueOneByOne(type, room) : List.<InboxRow.Id>of()) {
      try {
        count += begun(unitOfWork.call(tx -> transactions.recover(tx, id))).count();
      } catch (SQLException | RuntimeException | Error failure) {
        FailureKind kind = FailureKind.of(failure);
        if (kind == FailureKind.DATABASE_AWAY) {
          throw failure;
        }
        putOff(id, failure);
        if (kind != FailureKind.OTHER) {
          // The next one may reach its timeout, too: the other types have their turn before it.
          break;
        }
      }
    }
    return count;
  }

  private List<InboxRow.Id> dueOneByOne(String type, int room) throws SQLException {
    DueSteps steps = due(type, null, room, room);
    return unitOfWork.call(tx -> transactions.due(tx, steps)).stream().limit(room).toList();
  }

  private void putOff(InboxRow.Id id, Throwable failure) throws SQLException {
    try {
      unitOfWork.run(tx -> transactions.putOff(tx, id, failure));
    } catch (SQLException | RuntimeException | Error unreadable) {
      if (FailureKind.of(unreadable) == FailureKind.DATABASE_AWAY) {
        throw unreadable;
      }
      unitOfWork.run(tx -> transactions.setAside(tx, id, unreadable));
    }
  }
}
