package io.onceflow.participants.internal;

import io.onceflow.sql.Sql;
import io.onceflow.sql.Sql.Row;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What the database tells of the last minute, of all replicas.
 *
 * @param handled commands that were answered, within {@code seconds}
 * @param seconds a minute, or less where more were answered than are looked at
 * @param p50Ms null while none was answered; likewise the next two
 * @param parkedLately messages that were parked in the last minute
 * @param parked messages, up to a bound
 */
record ParticipantFigures(
    long handled,
    double seconds,
    @Nullable Long p50Ms,
    @Nullable Long p95Ms,
    @Nullable Long p99Ms,
    long parkedLately,
    long parked) {

  /** Read in some ten milliseconds. */
  private static final int MOST_STEPS = 20_000;

  /** Beyond this many the exact number does not matter. */
  private static final int MOST_PARKED = 1_000;

  /**
   * A step that took longer than the newest have been there for is not counted. The ids of parked
   * messages are in the order of time.
   */
  private static final String LATELY =
      """
      WITH newest AS (
        SELECT   received_at, completed_at
        FROM     inbox_message
        ORDER BY received_at DESC                     -- by inbox_message_received, from its end
        LIMIT    ?
      ), took AS (
        SELECT extract(epoch FROM completed_at - received_at) * 1000 AS ms
        FROM   newest
        WHERE  completed_at > now() - interval '1 minute'
      ), span AS (
        SELECT CASE WHEN count(*) < ? THEN 60
                    ELSE extract(epoch FROM now() - min(received_at)) END AS seconds
        FROM   newest
      ), parked AS (
        SELECT count(*) FILTER (WHERE parked_at > now() - interval '1 minute') AS lately,
               count(*) AS parked
        FROM   (SELECT   parked_at
                FROM     parked_message
                WHERE    waits_for IS NULL OR reason <> 'deferred'
                ORDER BY id DESC
                LIMIT    ?) AS newest
      )
      SELECT count(ms) AS handled,
             greatest(1, least(60, span.seconds))::float8 AS seconds,
             round(percentile_cont(0.5)  WITHIN GROUP (ORDER BY ms))::bigint AS p50_ms,
             round(percentile_cont(0.95) WITHIN GROUP (ORDER BY ms))::bigint AS p95_ms,
             round(percentile_cont(0.99) WITHIN GROUP (ORDER BY ms))::bigint AS p99_ms,
             lately, parked
      FROM   span CROSS JOIN parked LEFT JOIN took ON true
      GROUP  BY span.seconds, lately, parked
      """;

  static ParticipantFigures read(Connection tx) throws SQLException {
    return Sql.query(tx, LATELY, ParticipantFigures::of, MOST_STEPS, MOST_STEPS, MOST_PARKED)
        .getFirst();
  }

  private static ParticipantFigures of(Row row) throws SQLException {
    return new ParticipantFigures(
        Objects.requireNonNull(row.bigint("handled")),
        row.real("seconds"),
        row.bigint("p50_ms"),
        row.bigint("p95_ms"),
        row.bigint("p99_ms"),
        Objects.requireNonNull(row.bigint("lately")),
        Objects.requireNonNull(row.bigint("parked")));
  }

  double perSecond() {
    return handled / seconds;
  }
}
