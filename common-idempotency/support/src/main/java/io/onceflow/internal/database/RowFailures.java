package io.onceflow.internal.database;

import java.sql.SQLException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jboss.logging.Logger;

/**
 * Rows that a sweep cannot handle, such as one that another release has written: each is logged
 * once by its key and left where it is, and the sweep continues with the others.
 *
 * @param <K> the key of a row
 */
public final class RowFailures<K> {

  private static final Logger LOG = Logger.getLogger(RowFailures.class);

  /** Of more than these, some are logged again. */
  private static final int REMEMBERED = 1_000;

  private final String table;
  private final Set<K> failing = ConcurrentHashMap.newKeySet();

  /**
   * @param table for the log
   */
  public RowFailures(String table) {
    this.table = table;
  }

  /** What is done with one row. */
  @FunctionalInterface
  public interface Work {

    /** Handles it. */
    void handle() throws SQLException;
  }

  /**
   * Handles a row.
   *
   * @return false where that fails
   * @throws SQLException when the database is unavailable; no row is to blame for that
   */
  public boolean handle(K key, Work work) throws SQLException {
    try {
      work.handle();
      failing.remove(key);
      return true;
    } catch (SQLException | RuntimeException | Error failure) {
      if (FailureKind.of(failure) == FailureKind.DATABASE_AWAY) {
        throw failure;
      }
      log(key, failure);
      return false;
    }
  }

  /** How many rows are known that could not be handled; some of them may be gone since. */
  public int count() {
    return failing.size();
  }

  private void log(K key, Throwable failure) {
    if (failing.size() >= REMEMBERED) {
      failing.clear();
    }
    if (failing.add(key)) {
      LOG.errorf(
          failure,
          "the row %s of %s cannot be handled and is left where it is, the others are handled;"
              + " repair or delete it. It is retried at each run",
          key,
          table);
    }
  }
}
