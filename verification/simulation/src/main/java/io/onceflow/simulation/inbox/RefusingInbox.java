package io.onceflow.simulation.inbox;

import io.onceflow.inbox.internal.InboxRow;
import io.onceflow.simulation.database.Database;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.Set;

/** A compensation sees a pending action as one that was refused: as if nothing could come of it. */
public final class RefusingInbox extends MemoryInbox {

  private static final String REFUSED =
      "{\"type\":\"PaymentDeclined\",\"payload\":{},\"result\":\"refused\"}";

  public RefusingInbox(Database database, InboxWatch watch) {
    super(database, watch);
  }

  @Override
  public Map<InboxRow.Id, InboxRow> find(Connection connection, Set<InboxRow.Id> ids)
      throws SQLException {
    Map<InboxRow.Id, InboxRow> found = super.find(connection, ids);
    if (ids.stream().anyMatch(id -> id.stepKey().contains(":refund-payment"))) {
      found.replaceAll((id, row) -> row.isResting() ? row.ended(REFUSED) : row);
    }
    return found;
  }
}
