package io.onceflow.idempotency.testing;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.sql.Sql;
import java.sql.Connection;
import java.sql.SQLException;

/** Which plans PostgreSQL has made for the statements that a connection has prepared. */
public final class PreparedPlans {

  /** The driver prepares a statement at its fifth execution; PostgreSQL then tries five plans. */
  private static final int EXECUTIONS = 20;

  private PreparedPlans() {}

  /** Executes a statement. */
  @FunctionalInterface
  public interface Execution {

    /** Does so. */
    void once() throws SQLException;
  }

  /**
   * Executes a statement often enough for its plan to be kept, and asserts that it is.
   *
   * @param part of the statement's text, in which no other on this connection has a part
   */
  public static void assertKept(Connection connection, String part, Execution execution)
      throws SQLException {
    for (int i = 0; i < EXECUTIONS; i++) {
      execution.once();
    }
    assertThat(
            Sql.query(
                connection,
                """
                SELECT generic_plans, custom_plans
                FROM   pg_prepared_statements
                WHERE  statement LIKE '%' || ? || '%'
                """,
                row -> row.integer("generic_plans") > row.integer("custom_plans"),
                part))
        .as("one plan for all executions")
        .containsExactly(true);
  }
}
