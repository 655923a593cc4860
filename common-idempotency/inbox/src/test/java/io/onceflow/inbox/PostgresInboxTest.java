package io.onceflow.inbox;

import io.onceflow.idempotency.testing.TestDatabase;
import io.onceflow.inbox.internal.DueSteps;
import io.onceflow.inbox.internal.InboxRow;
import io.onceflow.inbox.internal.InboxTable;
import io.onceflow.participant.PendingSteps;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** PostgreSQL keeps the laws. On a database where no participant sweeps. */
class PostgresInboxTest extends InboxLaws {

  static final TestDatabase DATABASE = TestDatabase.migrated("orders");

  /** Where the messages are. */
  TestDatabase database() {
    return DATABASE;
  }

  @Override
  protected Tx begin() throws SQLException {
    return new PostgresTx(database().begin());
  }

  @Override
  protected void endLease(InboxRow.Id id) {
    database()
        .update(
            """
        UPDATE inbox_message
        SET    lease_expires_at = now() - interval '1 ms'
        WHERE  scope = ?
        AND    step_key = ?
        """,
            id.scope(),
            id.stepKey());
  }

  /** The real thing; the broken ones of {@link InboxLawsCanFailTest} override what they break. */
  static class PostgresTx implements Tx {

    final Connection connection;
    private final InboxTable inbox = new InboxTable(DATABASE.source());

    PostgresTx(Connection connection) {
      this.connection = connection;
    }

    @Override
    public Map<InboxRow.Id, InboxRow> find(Set<InboxRow.Id> ids) throws SQLException {
      return inbox.find(connection, ids);
    }

    @Override
    public Set<InboxRow.Id> insert(Map<InboxRow, Duration> leases) throws SQLException {
      return inbox.insert(connection, leases);
    }

    @Override
    public Set<InboxRow.Id> complete(Map<InboxRow, String> outcomes) throws SQLException {
      return inbox.complete(connection, outcomes);
    }

    @Override
    public Set<InboxRow.Id> postpone(Map<InboxRow, Duration> pauses) throws SQLException {
      return inbox.postpone(connection, pauses);
    }

    @Override
    public Set<InboxRow.Id> rest(Map<InboxRow, Duration> pauses) throws SQLException {
      return inbox.rest(connection, pauses);
    }

    @Override
    public PendingSteps.Result wake(InboxRow.Id id) throws SQLException {
      return inbox.wake(connection, id);
    }

    @Override
    public List<InboxRow> takeOver(int limit, Duration lease) throws SQLException {
      List<InboxRow> taken = new ArrayList<>();
      for (String type : inbox.startedTypes(connection)) {
        DueSteps due = new DueSteps(type, null, Set.of(), limit, limit);
        taken.addAll(inbox.takeOver(connection, due, lease));
      }
      return taken;
    }

    @Override
    public void commit() throws SQLException {
      connection.commit();
    }

    @Override
    public void close() {
      try {
        connection.rollback();
        connection.close();
      } catch (SQLException e) {
        throw new IllegalStateException(e);
      }
    }
  }
}
