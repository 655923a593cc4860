package io.onceflow.saga.internal.store;

import io.onceflow.sql.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;

/**
 * Sagas with times from a clock of PostgreSQL that was ahead, and was set back since. Their timers
 * would be late by as much. How long ago it was started is not known, so it starts now.
 */
public final class SentAhead {

  /** A little later is only the clock of the process that sent it. */
  private static final String FIND =
      """
      SELECT id
      FROM   saga_instance saga
      WHERE  definition = ?
      AND    next_action_at < 'infinity'
      AND    hold IS NULL
      AND    EXISTS (SELECT
                     FROM   saga_step step
                     WHERE  step.saga_id = saga.id
                     AND    step.due_at IS NOT NULL
                     AND    greatest(step.sent_at, step.compensation_sent_at)
                            > now() + interval '2 seconds')
      """;

  /**
   * A deadline counts from the start. A timer is ahead that fires later than its saga waits for
   * anything: it was to fire at once. It may be later by the jitter of waits, and by the pause
   * after a failure.
   */
  private static final String CORRECT =
      """
      UPDATE saga_instance saga
      SET    started_at     = least(started_at, now()),
             deadline_at    = deadline_at - greatest(started_at - now(), interval '0'),
             next_action_at = now()
      WHERE  definition = ?
      AND    next_action_at > now()
      AND    next_action_at < 'infinity'
      AND    hold IS NULL
      AND    (started_at > now() + interval '2 seconds'
              OR revision = 0
              OR status = 'QUEUED'
                 AND (SELECT bool_and(place.queued_since IS NULL
                                      AND coalesce(place.turn_at, now()) <= now())
                      FROM   saga_place place
                      WHERE  place.saga_id = saga.id)
              OR next_action_at > interval '1 minute'
                 + CASE failures
                     WHEN 0 THEN (SELECT least(saga.deadline_at,
                                               min(least((step ->> 'dueAt')::timestamptz,
                                                         (step ->> 'askAt')::timestamptz)))
                                  FROM   json_array_elements(saga.steps) AS step)
                     ELSE now() + ? * interval '1 ms'
                   END)
      """;

  private SentAhead() {}

  /** Those of a definition that wait for an answer, or for something else. */
  public static List<UUID> find(Connection connection, String definition) throws SQLException {
    return Sql.query(connection, FIND, row -> row.uuid("id"), definition);
  }

  /**
   * Corrects the starts of the others, and lets their timers fire that are ahead.
   *
   * @param longestBackoff after a failure
   * @return how many sagas
   */
  public static int correct(Connection connection, String definition, Duration longestBackoff)
      throws SQLException {
    return Sql.update(connection, CORRECT, definition, longestBackoff.toMillis());
  }
}
