package io.onceflow.internal.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.onceflow.idempotency.testing.TestDatabase;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.postgresql.PGStatement;

/** A statement that was prepared before a migration changed the type of what it returns. */
class StalePlanTest {

  private static final TestDatabase DATABASE = TestDatabase.inSchema("stale_plan");

  @Test
  void isARaceThatTheNextAttemptOnTheSameConnectionWins() throws Exception {
    DATABASE.update("CREATE TABLE IF NOT EXISTS widened (amount int)");
    DATABASE.update("INSERT INTO widened VALUES (1)");
    try (Connection connection = DATABASE.begin();
        PreparedStatement read = connection.prepareStatement("SELECT amount FROM widened")) {
      read.unwrap(PGStatement.class).setPrepareThreshold(1);
      assertThat(amount(read)).isEqualTo(1);
      connection.commit();
      DATABASE.update("ALTER TABLE widened ALTER COLUMN amount TYPE bigint");
      SQLException stale = catchThrowableOfType(SQLException.class, () -> amount(read));
      assertThat(stale.getSQLState()).isEqualTo("0A000");
      assertThat(FailureKind.of(new IllegalStateException(stale))).isEqualTo(FailureKind.RACE);
      connection.rollback();
      assertThat(amount(read)).isEqualTo(1);
    } finally {
      DATABASE.update("DROP TABLE widened");
    }
  }

  private static long amount(PreparedStatement read) throws SQLException {
    try (ResultSet row = read.executeQuery()) {
      row.next();
      return row.getLong(1);
    }
  }
}
