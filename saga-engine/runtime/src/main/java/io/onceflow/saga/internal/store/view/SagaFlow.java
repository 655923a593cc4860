package io.onceflow.saga.internal.store.view;

import io.onceflow.sql.Sql;
import io.onceflow.sql.Sql.Row;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * How many sagas started and ended of late on all replicas, and how long those took that ended.
 *
 * <p>There is no index of when sagas ended, which every saga would pay for. Ids are UUIDv7, so the
 * sagas of the last ten minutes are the end of the primary key, and those that ended within the
 * last minute are among them but for sagas that took longer than nine minutes. Where there are more
 * than {@value #MOST} sagas, the newest so many are looked at, and the last half of the time in
 * which they started counts instead of the last minute: those that took longer than that half are
 * missed then.
 *
 * @param startedPerSecond in that time
 * @param endedPerSecond in that time
 * @param p50Ms half of those that ended took no longer from start to end; null where none did
 * @param p95Ms 95 of 100 of them took no longer; null where none ended
 * @param p99Ms 99 of 100 of them took no longer; null where none ended
 */
public record SagaFlow(
    double startedPerSecond,
    double endedPerSecond,
    @Nullable Long p50Ms,
    @Nullable Long p95Ms,
    @Nullable Long p99Ms) {

  /** Twenty seconds of a thousand sagas a second; takes the database some ten milliseconds. */
  static final int MOST = 20_000;

  private static final Duration LOOKED_BACK = Duration.ofMinutes(10);

  private static final double THOUSANDTHS = 1_000.0;

  /** Visible to tests, which look at its plan. */
  static final String RECENT =
      """
      WITH recent AS MATERIALIZED (
        SELECT   started_at, ended_at
        FROM     saga_instance
        WHERE    id >= ?::uuid
        ORDER BY id DESC
        LIMIT    ?
      ),
      span AS (
        SELECT CASE
                 WHEN count(*) < ? THEN 60.0
                 ELSE greatest(0.1, least(60.0, extract(epoch FROM ?::timestamptz - min(started_at)) / 2))
               END AS seconds
        FROM   recent
      ),
      counted AS (
        SELECT seconds,
               started_at > begin AS has_started,
               ended_at > begin   AS has_ended,
               extract(epoch FROM ended_at - started_at) * 1000 AS took
        FROM   recent,
               (SELECT seconds, ?::timestamptz - make_interval(secs => seconds) AS begin
                FROM   span) AS counting
      )
      SELECT (SELECT seconds FROM span)::float8                AS seconds,
             count(*) FILTER (WHERE has_started)               AS started,
             count(*) FILTER (WHERE has_ended)                 AS ended,
             (percentile_disc(0.5)  WITHIN GROUP (ORDER BY took) FILTER (WHERE has_ended))::bigint AS p50,
             (percentile_disc(0.95) WITHIN GROUP (ORDER BY took) FILTER (WHERE has_ended))::bigint AS p95,
             (percentile_disc(0.99) WITHIN GROUP (ORDER BY took) FILTER (WHERE has_ended))::bigint AS p99
      FROM   counted
      """;

  /**
   * Reads it.
   *
   * @param now by the clock that sagas are started and ended by
   */
  public static SagaFlow read(Connection tx, Instant now) throws SQLException {
    return read(tx, now, MOST);
  }

  /** With another bound, for tests. */
  static SagaFlow read(Connection tx, Instant now, int most) throws SQLException {
    return Sql.query(
            tx,
            RECENT,
            SagaFlow::of,
            UuidTime.first(now.minus(LOOKED_BACK)),
            most,
            most,
            Timestamp.from(now),
            Timestamp.from(now))
        .getFirst();
  }

  private static SagaFlow of(Row row) throws SQLException {
    double seconds = row.real("seconds");
    return new SagaFlow(
        rate(row.bigint("started"), seconds),
        rate(row.bigint("ended"), seconds),
        row.bigint("ended") == 0 ? null : row.bigint("p50"),
        row.bigint("ended") == 0 ? null : row.bigint("p95"),
        row.bigint("ended") == 0 ? null : row.bigint("p99"));
  }

  private static double rate(long sagas, double seconds) {
    return Math.round(sagas / seconds * THOUSANDTHS) / THOUSANDTHS;
  }
}
