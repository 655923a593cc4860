package io.onceflow.simulation.inbox;

import io.onceflow.inbox.internal.InboxRow;
import io.onceflow.simulation.database.Database;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.Set;

/**
 * A refund that was refused keeps its reply without saying that it is a refusal, as before commands
 * said which outcomes end their step: a repeat gets the reply again.
 */
public final class StubbornInbox extends MemoryInbox {

  private static final String REFUSED = "\"result\":\"refused\"";
  private static final String UNSAID = "\"result\":null";

  public StubbornInbox(Database database, InboxWatch watch) {
    super(database, watch);
  }

  @Override
  public Map<InboxRow.Id, InboxRow> find(Connection connection, Set<InboxRow.Id> ids)
      throws SQLException {
    Map<InboxRow.Id, InboxRow> found = super.find(connection, ids);
    found.replaceAll((id, row) -> id.stepKey().contains(":refund-payment") ? unsaid(row) : row);
    return found;
  }

  private static InboxRow unsaid(InboxRow row) {
    String outcome = row.outcome();
    return outcome == null ? row : row.ended(outcome.replace(REFUSED, UNSAID));
  }
}
