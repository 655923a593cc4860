package io.onceflow.internal.queue;

import io.onceflow.internal.database.SocketDeadline;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;

/**
 * A query that may take longer than others: it reads all that was deleted within half an hour. Only
 * in a transaction that has locked nothing yet.
 */
public final class LongScan {

  private static final String LET_IT_TAKE_LONG = "SET LOCAL statement_timeout TO '1min'";

  /** The server's timeout comes first, and tells what it was about. */
  private static final Duration LONGER = Duration.ofMinutes(1).plusSeconds(3);

  private static final String AS_LONG_AS_OTHERS = "SET LOCAL statement_timeout TO DEFAULT";

  private LongScan() {}

  /** A query. */
  @FunctionalInterface
  public interface Query<T> {

    /** Executes it. */
    T on(Connection tx) throws SQLException;
  }

  /** Executes a query for which a minute is not too long. */
  public static <T> T in(Connection tx, Query<T> query) throws SQLException {
    SocketDeadline socket = SocketDeadline.of(tx, LONGER);
    try (socket;
        Statement statement = tx.createStatement()) {
      statement.execute(LET_IT_TAKE_LONG);
      T result = query.on(tx);
      statement.execute(AS_LONG_AS_OTHERS);
      return result;
    }
  }
}
