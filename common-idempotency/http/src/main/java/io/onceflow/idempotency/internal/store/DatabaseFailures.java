package io.onceflow.idempotency.internal.store;

import java.sql.SQLException;
import java.sql.SQLRecoverableException;
import java.sql.SQLTransientConnectionException;
import java.util.Set;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

/** Distinguishes an unavailable database from a statement that it refuses. */
public final class DatabaseFailures {

  /**
   * Connection failures, refused log-ins, no memory, disk or connection left, operator
   * intervention, and errors of the machine beneath (PostgreSQL, appendix A).
   */
  private static final Set<String> CLASSES = Set.of("08", "28", "53", "57", "58");

  /** Statement timeout: the database is available. */
  private static final String QUERY_CANCELED = "57014";

  private DatabaseFailures() {}

  /** Whether the database is unavailable, so that an immediate retry is useless. */
  public static boolean isCauseOf(Throwable failure) {
    return Stream.concat(Stream.ofNullable(failure.getCause()), Stream.of(failure.getSuppressed()))
            .anyMatch(DatabaseFailures::isCauseOf)
        || failure instanceof SQLException e && isAway(e);
  }

  private static boolean isAway(SQLException e) {
    if (e instanceof SQLTransientConnectionException || e instanceof SQLRecoverableException) {
      return true;
    }
    String state = e.getSQLState();
    // The connection pool's own failures (no connection in time) carry no SQLSTATE.
    return state == null
        ? e.getCause() == null || e.getCause() instanceof TimeoutException
        : CLASSES.contains(state.substring(0, 2)) && !state.equals(QUERY_CANCELED);
  }
}
