package io.onceflow.inbox;

import io.onceflow.idempotency.testing.Midnight;
import io.onceflow.idempotency.testing.TestDatabase;
import io.onceflow.inbox.internal.EndedSteps;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import javax.sql.DataSource;

/**
 * PostgreSQL keeps the laws also where messages are divided by days, and of any two transactions
 * that come one after the other the first is of just before midnight, the second of just after it.
 */
class PartitionedInboxTest extends PostgresInboxTest {

  private static final Midnight MIDNIGHT =
      Midnight.in("by_day", EndedSteps.table(Duration.ofDays(30)));

  static Tx begin(DataSource side) throws SQLException {
    Connection connection = side.getConnection();
    connection.setAutoCommit(false);
    return new PostgresTx(connection);
  }

  Midnight midnight() {
    return MIDNIGHT;
  }

  @Override
  TestDatabase database() {
    return midnight().database();
  }

  @Override
  protected Tx begin() throws SQLException {
    return begin(midnight().eitherSide());
  }
}
