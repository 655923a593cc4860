package io.onceflow.sql;

import io.onceflow.internal.retention.TimeOrderedId;
import java.time.Duration;
import java.util.Optional;

/**
 * A table of the application whose rows expire. Its beans are found: garbage collection of the
 * table runs while the application does.
 */
public interface ExpiringTable {

  /** What expires in it, and when; empty where its rows are kept for ever. */
  Optional<CollectedTable> expiring();

  /** How many rows of other tables go with each row, itself included. */
  default int rowsOfEach() {
    return 1;
  }

  /**
   * A table whose rows expire. In both statements the database's clock decides, and the parameters
   * are a time in milliseconds, how long a row stays after it has expired, and a number of rows.
   *
   * @param name of the table
   * @param kept how long rows stay after they have expired
   * @param delete deletes expired rows, and skips locked ones
   * @param backlog answers how many rows have expired, and for how many milliseconds the oldest has
   */
  record CollectedTable(String name, Duration kept, String delete, String backlog) {

    private static final String DELETE =
        """
        DELETE FROM %s
        WHERE  ctid = ANY (ARRAY (
        SELECT old.ctid
        %s
        FOR UPDATE OF old SKIP LOCKED             -- another replica deletes those
        ))
        """;

    private static final String BACKLOG =
        """
        SELECT count(*), greatest(0, extract(epoch FROM now() - min(since)) * 1000)
        FROM   (
        SELECT %s AS since
        %s
        ) AS garbage
        """;

    private static final String BY_AGE =
        """
        FROM   %1$s AS old,
               (SELECT now() - ? * interval '1 ms' AS cutoff) AS retention
        WHERE  id < %3$s
        AND    %2$s <= cutoff
        AND    %4$s
        ORDER  BY id
        LIMIT  ?
        """;

    private static final String BY_TIME =
        """
        FROM   %1$s AS old
        WHERE  %2$s <= now() - ? * interval '1 ms'
        AND    %3$s
        ORDER  BY %2$s
        LIMIT  ?
        """;

    /**
     * A table whose expired rows a condition finds.
     *
     * @param since when a row expired, as SQL
     * @param expired the end of a SELECT, from {@code FROM} to {@code LIMIT}, whose parameters are
     *     those of both statements; it names the table {@code old}
     */
    public static CollectedTable of(String name, String since, Duration kept, String expired) {
      return new CollectedTable(
          name, kept, DELETE.formatted(name, expired), BACKLOG.formatted(since, expired));
    }

    /**
     * A table that needs no index of times: its primary key {@code id} is a UUIDv7.
     *
     * @param time the column that {@code kept} counts from; null while a row cannot expire. Not
     *     before the id was made
     * @param condition that a row, named {@code old}, must meet to expire
     * @return empty where {@code kept} is zero: rows are kept for ever
     */
    public static Optional<CollectedTable> byAge(
        String name, String time, Duration kept, String condition) {
      String youngest = TimeOrderedId.lowest("cutoff");
      return kept.isPositive()
          ? Optional.of(of(name, time, kept, BY_AGE.formatted(name, time, youngest, condition)))
          : Optional.empty();
    }

    /**
     * A table that has an index of times.
     *
     * @param time the column that {@code kept} counts from
     */
    public static CollectedTable byTime(String name, String time, Duration kept) {
      return byTime(name, time, kept, "true");
    }

    /**
     * The same, where some rows stay.
     *
     * @param condition that a row must meet to expire
     */
    public static CollectedTable byTime(String name, String time, Duration kept, String condition) {
      return of(name, time, kept, BY_TIME.formatted(name, time, condition));
    }
  }
}
