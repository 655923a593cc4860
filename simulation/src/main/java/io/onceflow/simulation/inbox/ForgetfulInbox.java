package io.onceflow.simulation.inbox;

import io.onceflow.inbox.internal.InboxRow;
import io.onceflow.simulation.database.Database;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Without rule 6: forgets the tombstones. */
public final class ForgetfulInbox extends MemoryInbox {

  public ForgetfulInbox(Database database, InboxWatch watch) {
    super(database, watch);
  }

  @Override
  public Set<InboxRow.Id> insert(Connection connection, Collection<InboxRow> rows, Duration lease)
      throws SQLException {
    List<InboxRow> kept =
        rows.stream().filter(row -> row.status() != InboxRow.Status.TOMBSTONE).toList();
    Set<InboxRow.Id> inserted = new HashSet<>(super.insert(connection, kept, lease));
    rows.stream()
        .filter(row -> row.status() == InboxRow.Status.TOMBSTONE)
        .forEach(row -> inserted.add(row.id()));
    return inserted;
  }
}
