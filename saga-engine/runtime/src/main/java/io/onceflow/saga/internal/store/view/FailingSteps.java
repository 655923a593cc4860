package io.onceflow.saga.internal.store.view;

import io.onceflow.inbox.internal.parking.ParkedGroups;
import io.onceflow.saga.internal.store.failure.FailingSagas;
import io.onceflow.sql.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/**
 * Groups the open sagas that do not move on by what they fail of: those that are stuck or in
 * quarantine, and those whose message was resent. Held ones are not among them.
 */
public final class FailingSteps {

  /** More causes than an operator reads; the largest groups come first. */
  private static final int MOST = 100;

  /** Of more an arbitrary so many are grouped: the journal of each is read. */
  private static final int MOST_STEPS = 5_000;

  /**
   * What a row of {@code saga_instance}, named {@code %1$s}, fails of. Only the journals of failing
   * sagas are read, for when the message was sent first and for the last refusal of it.
   */
  private static final String OF_SAGA =
      """
      (SELECT name, direction, since,
              CASE WHEN rests THEN 'quarantined' WHEN error IS NULL THEN 'no-answer' ELSE 'refused' END AS kind,
              %2$s AS cause
       FROM   (SELECT step ->> 'name' AS name,
                      CASE WHEN step IS NOT NULL THEN %3$s END AS direction,
                      quarantine.since IS NOT NULL AS rests,
                      CASE WHEN quarantine.since IS NULL THEN told.error
                           ELSE %1$s.quarantine_reason END AS error,
                      coalesce(quarantine.since, told.since, %1$s.started_at) AS since
               FROM   (SELECT %4$s AS since) AS quarantine
                      LEFT JOIN json_array_elements(%1$s.steps) AS step ON step ->> 'dueAt' IS NOT NULL
                      LEFT JOIN LATERAL
                      (SELECT max(coalesce((entry ->> 'at')::timestamptz, at))
                                FILTER (WHERE entry ->> 'event' IN ('command-sent', 'compensation-sent')) AS since,
                              (array_agg(entry ->> 'detail' ORDER BY revision DESC)
                                FILTER (WHERE entry ->> 'event' = 'refusal-ignored'))[1] AS error
                       FROM   saga_journal, json_array_elements(entries) AS entry
                       WHERE  saga_id = %1$s.id
                       AND    quarantine.since IS NULL
                       AND    entries::text ~ 'refusal-ignored|-sent"' -- other lines need not be parsed
                       AND    entry ->> 'step' = step ->> 'name') AS told ON true
               WHERE  %1$s.hold IS NULL
               AND    (quarantine.since IS NOT NULL
                       OR step IS NOT NULL
                          AND (%1$s.status = 'STUCK'
                               OR coalesce(step #>> '{compensation,attempts}', step ->> 'attempts')::int > 1))
              ) AS failing)\
      """;

  private static final String FINGERPRINT =
      """
      md5(concat_ws(E'\\n', %s.definition, coalesce(name, ''), coalesce(direction, ''), kind, coalesce(cause, '')))\
      """;

  /** Of a row of {@code saga_instance} in a list, for the fingerprint of a group. */
  static final String IN_GROUP =
      "EXISTS (SELECT FROM %s AS failure WHERE %s = ?)"
          .formatted(ofSaga("saga_instance"), FINGERPRINT.formatted("saga_instance"));

  /** Visible to tests, which look at its plan. */
  static final String GROUPS =
      """
      SELECT   %s AS fingerprint, definition, name, direction, kind, cause,
               count(*)::int AS sagas, min(since) AS first_at, max(since) AS last_at,
               array_to_string((array_agg(id ORDER BY id DESC))[1:3], ',') AS samples
      FROM     (SELECT saga.id, saga.definition, failure.*
                FROM   %s
                       CROSS JOIN LATERAL %s AS failure
                LIMIT  ?) AS failing
      GROUP BY definition, name, direction, kind, cause
      ORDER BY sagas DESC, last_at DESC
      LIMIT    ?
      """
          .formatted(FINGERPRINT.formatted("failing"), OpenTimers.ALL, ofSaga("saga"));

  private FailingSteps() {}

  private static String ofSaga(String row) {
    return OF_SAGA.formatted(
        row, ParkedGroups.causeOf("error"), SagaCounts.DIRECTION, FailingSagas.QUARANTINED_AT);
  }

  /** The largest group first. */
  public static List<FailureGroup> groups(Connection tx, OpenTimers timers) throws SQLException {
    OpenTimers.Known known = timers.find(tx);
    return Sql.query(
        tx, GROUPS, FailureGroup::of, known.definitions(), known.times(), MOST_STEPS, MOST);
  }
}
