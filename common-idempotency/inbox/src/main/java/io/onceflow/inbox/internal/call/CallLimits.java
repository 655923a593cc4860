package io.onceflow.inbox.internal.call;

import io.onceflow.inbox.internal.participant.PendingCall;
import io.onceflow.inbox.internal.participant.ResolvedCommand;
import io.onceflow.participant.internal.CallLimit;
import io.onceflow.participant.internal.HandlerMethod;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The types of command whose calls begin at most so often; no statement runs for the others. */
public final class CallLimits {

  private final Map<String, CallLimit> byType = new HashMap<>();

  public CallLimits(Collection<HandlerMethod> handlers) {
    for (HandlerMethod handler : handlers) {
      handler.callLimit().ifPresent(limit -> byType.put(handler.type(), limit));
    }
  }

  /** Whether calls for commands of this type begin at most so often. */
  public boolean isLimited(String type) {
    return byType.containsKey(type);
  }

  /**
   * Takes the turns that there are for commands that have arrived; of each limited type how many.
   * Before any business row is locked, as in recovery, so that no two transactions wait for each
   * other.
   */
  public Map<String, Integer> take(Connection tx, List<ResolvedCommand> arrived)
      throws SQLException {
    if (byType.isEmpty()) {
      return Map.of();
    }
    Map<String, Integer> wanted = new TreeMap<>();
    for (ResolvedCommand one : arrived) {
      if (isLimited(one.handler().type())) {
        wanted.merge(one.handler().type(), 1, Integer::sum);
      }
    }
    for (Map.Entry<String, Integer> each : wanted.entrySet()) {
      each.setValue(take(tx, each.getKey(), each.getValue()));
    }
    return wanted;
  }

  /** Takes as many turns as there are now for calls of a limited type, up to those wanted. */
  public int take(Connection tx, String type, int wanted) throws SQLException {
    return CallTurns.take(tx, type, byType.get(type), wanted);
  }

  /** Gives back what the calls that begin have left of turns that were taken. */
  public void giveBack(Connection tx, Map<String, Integer> taken, List<PendingCall> begun)
      throws SQLException {
    for (Map.Entry<String, Integer> each : taken.entrySet()) {
      String type = each.getKey();
      int used = (int) begun.stream().filter(call -> call.type().equals(type)).count();
      giveBack(tx, type, each.getValue() - used);
    }
  }

  /** Gives turns back of which no call has come. */
  public void giveBack(Connection tx, String type, int turns) throws SQLException {
    CallTurns.giveBack(tx, type, byType.get(type), turns);
  }
}
