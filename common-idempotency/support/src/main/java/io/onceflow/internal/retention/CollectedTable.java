package io.onceflow.internal.retention;

import java.time.Duration;
import java.util.Optional;

/**
 * A table whose rows expire. In all statements the database's clock decides, and the first
 * parameter is a time in milliseconds: how long a row stays after it has expired.
 *
 * @param name of the table
 * @param key its columns that are unique together, whichever partition a row is in
 * @param madeAt the column with the time of insertion, the partition key; it never changes
 * @param days in a partition. Longer partitions mean fewer of them, and each look-up of a key reads
 *     all; but a partition is dropped only when its youngest row has expired
 * @param kept how long rows stay after they have expired
 * @param delete deletes expired rows, at most as many as the second parameter says, and skips
 *     locked ones
 * @param backlog answers how many rows have expired, counting no further than the second parameter,
 *     and for how many milliseconds the oldest has
 * @param isLive whether a partition, named by {@code %1$s}, holds a row that has not expired; must
 *     answer from an index, since other statements wait for it
 * @param isAwaited whether a partition, named by {@code %1$s}, holds an expired row that other rows
 *     still need; takes no parameter and may be slow
 */
public record CollectedTable(
    String name,
    String key,
    String madeAt,
    int days,
    Duration kept,
    String delete,
    String backlog,
    String isLive,
    Optional<String> isAwaited) {

  /** The expired rows of a table whose ids are UUIDv7: name, column, lowest id, condition. */
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

  private static final String DELETE_BY_AGE =
      """
      WITH garbage AS (
      SELECT id
      %2$s
      FOR UPDATE OF old SKIP LOCKED             -- another replica deletes those
      )
      DELETE FROM %1$s USING garbage WHERE %1$s.id = garbage.id
      """;

  private static final String BACKLOG_BY_AGE =
      """
      SELECT count(*), greatest(0, extract(epoch FROM now() - min(since)) * 1000)
      FROM   (
      SELECT %1$s AS since
      %2$s
      ) AS garbage
      """;

  private static final String DELETE_BY_TIME =
      """
      WITH garbage AS (
      SELECT %2$s
      FROM   %1$s
      WHERE  %3$s <= now() - ? * interval '1 ms'
      AND    %4$s
      ORDER  BY %3$s
      LIMIT  ?
      FOR UPDATE SKIP LOCKED             -- another replica deletes those
      )
      DELETE FROM %1$s USING garbage WHERE %1$s.%2$s = garbage.%2$s
      """;

  private static final String BACKLOG_BY_TIME =
      """
      SELECT count(*), greatest(0, extract(epoch FROM now() - min(since)) * 1000)
      FROM   (
      SELECT %2$s AS since
      FROM   %1$s
      WHERE  %2$s <= now() - ? * interval '1 ms'
      AND    %3$s
      ORDER  BY %2$s
      LIMIT  ?
      ) AS garbage
      """;

  /**
   * A table that is never partitioned and needs no index of times: its primary key {@code id} is a
   * UUIDv7.
   *
   * @param time the column that {@code kept} counts from; null while a row cannot expire. Not
   *     before the id was made
   * @param condition that a row, named {@code old}, must meet to expire
   * @return empty where {@code kept} is zero: rows are kept for ever
   */
  public static Optional<CollectedTable> byAge(
      String name, String time, Duration kept, String condition) {
    if (!kept.isPositive()) {
      return Optional.empty();
    }
    String expired =
        BY_AGE.formatted(name, time, TimeOrderedId.lowest("cutoff"), condition.strip());
    return Optional.of(
        undivided(
            name,
            kept,
            DELETE_BY_AGE.formatted(name, expired),
            BACKLOG_BY_AGE.formatted(time, expired)));
  }

  /**
   * A table that is never partitioned and has an index of times.
   *
   * @param time the column that {@code kept} counts from
   */
  public static CollectedTable byTime(String name, String key, String time, Duration kept) {
    return byTime(name, key, time, kept, "true");
  }

  /**
   * The same, where some rows stay.
   *
   * @param condition that a row must meet to expire
   */
  public static CollectedTable byTime(
      String name, String key, String time, Duration kept, String condition) {
    return undivided(
        name,
        kept,
        DELETE_BY_TIME.formatted(name, key, time, condition),
        BACKLOG_BY_TIME.formatted(name, time, condition));
  }

  private static CollectedTable undivided(
      String name, Duration kept, String delete, String backlog) {
    return new CollectedTable(
        name, "", "", 1, kept, delete, backlog, "SELECT true", Optional.empty());
  }
}
