package io.onceflow.simulation.inbox;

import io.onceflow.inbox.internal.InboxRow;
import io.onceflow.simulation.database.Database;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/** Without rule 6: forgets the tombstones. */
public final class ForgetfulInbox extends MemoryInbox {

  public ForgetfulInbox(Database database, InboxWatch watch) {
    super(database, watch);
  }

  @Override
  public Set<InboxRow.Id> insert(Connection connection, Map<InboxRow, Duration> leases)
      throws SQLException {
    Map<InboxRow, Duration> kept = new LinkedHashMap<>(leases);
    kept.keySet().removeIf(row -> row.status() == InboxRow.Status.TOMBSTONE);
    Set<InboxRow.Id> inserted = new HashSet<>(super.insert(connection, kept));
    leases.keySet().stream()
        .filter(row -> row.status() == InboxRow.Status.TOMBSTONE)
        .forEach(row -> inserted.add(row.id()));
    return inserted;
  }
}
