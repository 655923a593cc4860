package io.onceflow.saga.internal.store.view;

import io.onceflow.inbox.internal.parking.ParkedGroups;
import io.onceflow.saga.internal.store.failure.FailingSagas;
import io.onceflow.sql.Sql;
import io.onceflow.sql.Sql.Row;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Groups the open sagas that do not move on by what they fail of: those that are stuck or in
 * quarantine, and those whose message was resent. Held ones are not among them, nor those that wait
 * for a saga that they started, however often they have looked for its end. All of it is in the
 * sagas' rows; no journal is read.
 */
public final class FailingSteps {

  /** More causes than an operator reads; the largest groups come first. */
  private static final int MOST = 100;

  /**
   * Of each definition so many are read, those whose timers are the latest: in quarantine they are
   * at infinity, and stuck sagas wait longer than others. Takes some hundred milliseconds.
   */
  static final int MOST_SAGAS = 10_000;

  /** What a row of {@code saga_instance}, named {@code %1$s}, fails of. */
  private static final String OF_SAGA =
      """
      (SELECT step ->> 'name' AS name,
              CASE WHEN step IS NOT NULL THEN %2$s END AS direction,
              CASE WHEN quarantine.since IS NOT NULL  THEN 'quarantined'
                   WHEN sent ->> 'refusal' IS NOT NULL THEN 'refused'
                   ELSE 'no-answer' END AS kind,
              CASE WHEN quarantine.since IS NULL THEN sent ->> 'refusal'
                   ELSE %1$s.quarantine_reason END AS error,
              coalesce(quarantine.since,
                       (coalesce(sent ->> 'firstSentAt', sent ->> 'sentAt'))::timestamptz,
                       %1$s.started_at) AS since
       FROM   (SELECT %3$s AS since) AS quarantine
              LEFT JOIN json_array_elements(%1$s.steps) AS step ON step ->> 'dueAt' IS NOT NULL
              CROSS JOIN LATERAL (SELECT coalesce(step -> 'compensation', step) AS sent) AS message
       WHERE  %1$s.hold IS NULL
       AND    (quarantine.since IS NOT NULL
               OR step IS NOT NULL
                  AND (%1$s.status = 'STUCK'
                       -- without a command it waits itself, and each look counts as an attempt
                       OR (sent ->> 'attempts')::int > 1 AND step -> 'command' IS NOT NULL)))\
      """;

  private static final String FINGERPRINT =
      """
      md5(concat_ws(E'\\n', %s.definition, coalesce(name, ''), coalesce(direction, ''), kind, coalesce(%s, '')))\
      """;

  /** Of a row of {@code saga_instance} in a list, for the fingerprint of a group. */
  static final String IN_GROUP =
      "EXISTS (SELECT FROM %s AS failure WHERE %s = ?)"
          .formatted(
              ofSaga("saga_instance"),
              FINGERPRINT.formatted("saga_instance", ParkedGroups.causeOf("error")));

  /**
   * Visible to tests, which look at its plan. An outage gives thousands of sagas the same error:
   * what it has in common with others is found out once.
   */
  static final String GROUPS =
      """
      WITH looked AS MATERIALIZED (
        SELECT saga.id, saga.definition, failure.*
        FROM   %2$s
               LEFT JOIN LATERAL %3$s AS failure ON true
      ),
      causes AS MATERIALIZED (
        SELECT error, %4$s AS cause
        FROM   (SELECT DISTINCT error FROM looked WHERE error IS NOT NULL) AS told
      ),
      groups AS (
        SELECT   definition, name, direction, kind, cause,
                 count(*)::int AS sagas, min(since) AS first_at, max(since) AS last_at,
                 array_to_string((array_agg(id ORDER BY id DESC))[1:3], ',') AS samples
        FROM     looked
                 LEFT JOIN causes USING (error)
        WHERE    kind IS NOT NULL
        GROUP BY definition, name, direction, kind, cause
        ORDER BY sagas DESC, last_at DESC
        LIMIT    ?
      )
      SELECT   (SELECT coalesce(max(sagas), 0) < ?
                FROM   (SELECT   count(DISTINCT id) AS sagas
                        FROM     looked
                        GROUP BY definition) AS counted) AS complete,
               %1$s AS fingerprint, groups.*
      FROM     (SELECT) AS always                    -- a row tells whether all were read
               LEFT JOIN groups ON true
      ORDER BY sagas DESC, last_at DESC
      """
          .formatted(
              FINGERPRINT.formatted("groups", "cause"),
              OpenTimers.LATEST,
              ofSaga("saga"),
              ParkedGroups.causeOf("error"));

  private record Line(boolean complete, @Nullable FailureGroup group) {

    static Line of(Row row) throws SQLException {
      return new Line(
          row.truth("complete"), row.text("definition") == null ? null : FailureGroup.of(row));
    }
  }

  private FailingSteps() {}

  private static String ofSaga(String row) {
    return OF_SAGA.formatted(row, SagaCounts.DIRECTION, FailingSagas.QUARANTINED_AT);
  }

  /** The largest group first. */
  public static FailureGroups groups(Connection tx, OpenTimers timers) throws SQLException {
    return groups(tx, timers, MOST_SAGAS);
  }

  /** With another bound, for tests. */
  static FailureGroups groups(Connection tx, OpenTimers timers, int most) throws SQLException {
    OpenTimers.Known known = timers.find(tx);
    List<Line> lines =
        Sql.query(tx, GROUPS, Line::of, known.definitions(), known.times(), most, MOST, most);
    return new FailureGroups(
        lines.getFirst().complete(),
        lines.stream().map(Line::group).filter(Objects::nonNull).toList());
  }
}
