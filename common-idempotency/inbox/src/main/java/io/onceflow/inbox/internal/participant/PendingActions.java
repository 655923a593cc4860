package io.onceflow.inbox.internal.participant;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.onceflow.inbox.internal.InboxRow;
import io.onceflow.inbox.internal.InboxStore;
import io.onceflow.inbox.internal.StepOutcome;
import io.onceflow.participant.Answer.Rejection;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * Ends actions that are pending when their compensation comes: it does not wait for an external
 * event. So are actions ended whose owner is gone, and whose message the broker has not delivered
 * again: it may have lost it. An action whose handler is just being asked is left alone, and waited
 * for as any other that runs.
 */
record PendingActions(InboxStore inbox, CommandReader reader, ObjectMapper json) {

  /**
   * The rows, with those of such actions ended as of an unknown result, if no attempt at them has
   * started since they were read: the fencing token tells.
   *
   * @param undone of actions, and maybe others
   * @param actions which of them are to end
   */
  Map<InboxRow.Id, InboxRow> ended(
      Connection connection, Map<InboxRow.Id, InboxRow> undone, Set<InboxRow.Id> actions)
      throws SQLException {
    Map<InboxRow, String> outcomes = new LinkedHashMap<>();
    for (InboxRow.Id action : actions) {
      InboxRow row = undone.get(action);
      if (row != null && row.isPending() && row.isResting()) {
        outcomes.put(row, unknownResult(row));
      } else if (row != null && row.isAbandoned()) {
        outcomes.put(row, StepOutcome.UNKNOWN.toStore(json));
      }
    }
    if (outcomes.isEmpty()) {
      return undone;
    }
    Set<InboxRow.Id> ended = inbox.complete(connection, outcomes);
    Map<InboxRow.Id, InboxRow> rows = new HashMap<>(undone);
    outcomes.forEach(
        (row, outcome) -> {
          if (ended.contains(row.id())) {
            rows.put(row.id(), row.ended(outcome));
          }
        });
    return rows;
  }

  private String unknownResult(InboxRow row) {
    ResolvedCommand action = reader.readStored(String.valueOf(row.envelope()));
    return StepOutcome.of(action.notDone(Rejection.UNAVAILABLE), json).toStore(json);
  }
}
