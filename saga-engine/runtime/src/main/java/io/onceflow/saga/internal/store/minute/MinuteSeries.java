package io.onceflow.saga.internal.store.minute;

import io.onceflow.saga.internal.store.minute.SagaMinutes.Backlog;
import io.onceflow.sql.Sql;
import io.onceflow.sql.Sql.Row;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Reads {@code saga_minute} and {@code saga_backlog_minute}, added up to longer spans. */
public final class MinuteSeries {

  private static final String POINTS =
      """
      SELECT date_bin(make_interval(mins => ?), minute, 'epoch') AS at, definition,
             sum(started)::bigint AS started, sum(completed)::bigint AS completed,
             sum(compensated)::bigint AS compensated, sum(took_ms)::bigint AS took_ms
      FROM   saga_minute
      WHERE  minute >= ?
      GROUP  BY at, definition
      ORDER  BY at, definition
      """;

  private static final String DURATIONS =
      """
      SELECT date_bin(make_interval(mins => ?), minute, 'epoch') AS at, definition,
             number::int - 1 AS bucket, sum(ended)::bigint AS ended
      FROM   saga_minute, unnest(durations) WITH ORDINALITY AS its (ended, number)
      WHERE  minute >= ?
      AND    ended > 0
      GROUP  BY at, definition, number
      """;

  private static final String BACKLOG =
      """
      SELECT date_bin(make_interval(mins => ?), minute, 'epoch') AS at, max(open) AS open,
             max(outbox_messages) AS outbox_messages, max(outbox_oldest_ms) AS outbox_oldest_ms
      FROM   saga_backlog_minute
      WHERE  minute >= ?
      GROUP  BY at
      ORDER  BY at
      """;

  private MinuteSeries() {}

  /**
   * What the sagas of a definition did within a span.
   *
   * @param at its beginning
   * @param meanMs from start to end, of those that ended; null where none did, likewise the others
   * @param p50Ms half of them took no longer, to about a tenth
   * @param p95Ms 95 of 100 of them took no longer, likewise
   * @param p99Ms 99 of 100 of them took no longer, likewise
   */
  public record Point(
      Instant at,
      String definition,
      long started,
      long completed,
      long compensated,
      @Nullable Long meanMs,
      @Nullable Long p50Ms,
      @Nullable Long p95Ms,
      @Nullable Long p99Ms) {}

  private record Of(Instant at, String definition) {}

  /** Of all definitions, the oldest first. */
  public static List<Point> points(Connection tx, Instant from, int minutes) throws SQLException {
    Map<Of, SortedMap<Integer, Long>> durations = new HashMap<>();
    Sql.query(tx, DURATIONS, row -> put(row, durations), minutes, from);
    return Sql.query(tx, POINTS, row -> point(row, durations), minutes, from);
  }

  private static Of put(Row row, Map<Of, SortedMap<Integer, Long>> durations) throws SQLException {
    Of of = new Of(row.time("at"), row.text("definition"));
    durations
        .computeIfAbsent(of, it -> new TreeMap<>())
        .put(row.integer("bucket"), row.bigint("ended"));
    return of;
  }

  private static Point point(Row row, Map<Of, SortedMap<Integer, Long>> all) throws SQLException {
    Of of = new Of(row.time("at"), row.text("definition"));
    SortedMap<Integer, Long> its = all.getOrDefault(of, new TreeMap<>());
    long ended = row.bigint("completed") + row.bigint("compensated");
    return new Point(
        of.at,
        of.definition,
        row.bigint("started"),
        row.bigint("completed"),
        row.bigint("compensated"),
        ended == 0 ? null : row.bigint("took_ms") / ended,
        DurationBuckets.percentile(its, 0.5),
        DurationBuckets.percentile(its, 0.95),
        DurationBuckets.percentile(its, 0.99));
  }

  /** The most that waited within each span. */
  public static List<Backlog> backlog(Connection tx, Instant from, int minutes)
      throws SQLException {
    return Sql.query(
        tx,
        BACKLOG,
        row ->
            new Backlog(
                row.time("at"),
                row.bigint("open"),
                row.bigint("outbox_messages"),
                row.bigint("outbox_oldest_ms")),
        minutes,
        from);
  }
}
