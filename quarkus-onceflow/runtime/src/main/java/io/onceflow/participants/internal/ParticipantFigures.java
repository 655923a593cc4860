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
 * @param p50Ms null while none was answered; likewise the next
 * @param parkedLately messages that were parked in the last minute
 * @param parked messages, up to a bound
 */
record ParticipantFigures(
    long handled,
    double seconds,
    @Nullable Long p50Ms,
    @Nullable Long p99Ms,
    long parkedLately,
    long parked) {

  /** Read in some ten milliseconds. */
  private static final int MOST_STEPS = 20_000;

  /** Beyond this many the exact number does not matter. */
  private static final int MOST_PARKED = 1_000;

  /** A step that took longer than the newest have been there for is not counted. */
  private static final String ANSWERED =
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
      )
      SELECT count(ms) AS handled,
             greatest(1, least(60, span.seconds))::float8 AS seconds,
             round(percentile_cont(0.5)  WITHIN GROUP (ORDER BY ms))::bigint AS p50_ms,
             round(percentile_cont(0.99) WITHIN GROUP (ORDER BY ms))::bigint AS p99_ms
      FROM   span LEFT JOIN took ON true
      GROUP  BY span.seconds
      """;

  /** The ids are in the order of time. */
  private static final String PARKED =
      """
      SELECT count(*) FILTER (WHERE parked_at > now() - interval '1 minute') AS lately,
             count(*) AS parked
      FROM   (SELECT parked_at FROM parked_message ORDER BY id DESC LIMIT ?) AS newest
      """;

  private record Answered(
      long handled, double seconds, @Nullable Long p50Ms, @Nullable Long p99Ms) {}

  private record Parked(long lately, long all) {}

  static ParticipantFigures read(Connection tx) throws SQLException {
    Answered answered =
        Sql.query(tx, ANSWERED, ParticipantFigures::answered, MOST_STEPS, MOST_STEPS).getFirst();
    Parked parked = Sql.query(tx, PARKED, ParticipantFigures::parked, MOST_PARKED).getFirst();
    return new ParticipantFigures(
        answered.handled(),
        answered.seconds(),
        answered.p50Ms(),
        answered.p99Ms(),
        parked.lately(),
        parked.all());
  }

  private static Answered answered(Row row) throws SQLException {
    return new Answered(
        Objects.requireNonNull(row.bigint("handled")),
        row.real("seconds"),
        row.bigint("p50_ms"),
        row.bigint("p99_ms"));
  }

  private static Parked parked(Row row) throws SQLException {
    return new Parked(
        Objects.requireNonNull(row.bigint("lately")), Objects.requireNonNull(row.bigint("parked")));
  }

  double perSecond() {
    return handled / seconds;
  }
}
