package io.onceflow.benchmarks.ceiling;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A statement that PostgreSQL has logged.
 *
 * @param database where it ran
 * @param session the session that ran it
 * @param transaction the session's virtual transaction; one such as {@code 15/0} is none
 * @param queryId what pg_stat_statements calls it; 0 where it calls it nothing
 * @param sql as it was sent, with parameters {@code $1}, {@code $2}…
 * @param parameters their values as text; null for NULL
 */
record LoggedStatement(
    String database,
    String session,
    String transaction,
    long queryId,
    String sql,
    List<@Nullable String> parameters) {

  /** Whether it only starts or ends a transaction, or sets something for one. */
  boolean isControl() {
    return startsWith("BEGIN")
        || startsWith("COMMIT")
        || startsWith("ROLLBACK")
        || startsWith("SET ")
        || startsWith("SAVEPOINT")
        || startsWith("RELEASE")
        || startsWith("START TRANSACTION");
  }

  /** Whether it ends a transaction without a trace. */
  boolean isRollback() {
    return startsWith("ROLLBACK") && !startsWith("ROLLBACK TO");
  }

  /** Whether it ends a transaction, well or not. */
  boolean isEnd() {
    return isRollback() || startsWith("COMMIT");
  }

  /** Whether it takes rows out of an outbox. */
  boolean isRelayDelete() {
    return sql.contains("DELETE FROM outbox_message");
  }

  /** Whether it puts rows into an outbox. */
  boolean isOutboxInsert() {
    return sql.contains("INSERT INTO outbox_message");
  }

  private boolean startsWith(String word) {
    return sql.stripLeading().regionMatches(true, 0, word, 0, word.length());
  }
}
