package io.onceflow.inbox;

import java.sql.SQLException;
import java.sql.SQLRecoverableException;
import java.sql.SQLTransientConnectionException;
import org.jspecify.annotations.Nullable;

/** What kind of trouble a failed batch is in, read from its SQLSTATE (PostgreSQL, appendix A). */
enum Trouble {
  /** The database cannot be reached or is not taking work: wait for it. */
  DATABASE_AWAY,
  /** A race was lost: the same again will find what the other wrote. */
  RACE,
  /** The message or the code is at fault. */
  OTHER;

  static Trouble of(Throwable failure) {
    for (Throwable t = failure; t != null; t = t.getCause()) {
      if (t instanceof SQLException e) {
        return of(e);
      }
    }
    return OTHER;
  }

  private static Trouble of(SQLException e) {
    if (e instanceof SQLTransientConnectionException || e instanceof SQLRecoverableException) {
      return DATABASE_AWAY;
    }
    return ofState(e.getSQLState(), e);
  }

  private static Trouble ofState(@Nullable String state, SQLException e) {
    if (state == null) {
      // The connection pool's own failures (no connection in time) carry no SQLSTATE.
      return e.getCause() instanceof SQLException cause ? of(cause) : DATABASE_AWAY;
    }
    return switch (state) {
      case "40001", "40P01" -> RACE;
      // Read-only after a failover, disk full, shutting down, too many connections.
      case "25006", "53100", "53300", "57P01", "57P02", "57P03", "57P05" -> DATABASE_AWAY;
      default -> state.startsWith("08") ? DATABASE_AWAY : OTHER;
    };
  }
}
