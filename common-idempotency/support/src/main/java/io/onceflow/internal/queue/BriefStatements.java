package io.onceflow.internal.queue;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;

/**
 * Statements for which others wait, and which are not worth it: half an hour of deleted rows may
 * lie before what they look for.
 */
final class BriefStatements {

  static final Duration LONGEST = Duration.ofMillis(500);

  /** One without a bound, as while the application starts, stays without. */
  private static final String BE_BRIEF =
      """
      SELECT set_config('onceflow.statement_timeout', current_setting('statement_timeout'), true),
             set_config('statement_timeout',
                        CASE current_setting('statement_timeout') WHEN '0' THEN '0' ELSE '%s' END,
                        true)
      """
          .formatted(LONGEST.toMillis());

  /** A transaction that the work has ended has taken its settings along. */
  private static final String AS_BEFORE =
      """
      SELECT set_config('statement_timeout', before, true)
      FROM   current_setting('onceflow.statement_timeout', true) before
      WHERE  before <> ''
      """;

  private BriefStatements() {}

  /** Executes statements. */
  @FunctionalInterface
  interface Work<T> {

    /** Does so. */
    T done() throws SQLException;
  }

  /** What exceeds the bound ends with the state 57014. */
  static <T> T in(Connection tx, Work<T> work) throws SQLException {
    try (Statement statement = tx.createStatement()) {
      statement.execute(BE_BRIEF);
      T result = work.done();
      statement.execute(AS_BEFORE);
      return result;
    }
  }
}
