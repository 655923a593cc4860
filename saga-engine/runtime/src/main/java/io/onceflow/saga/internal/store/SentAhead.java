package io.onceflow.saga.internal.store;

import io.onceflow.sql.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;

/**
 * Sagas that have sent something later than now: PostgreSQL's clock was set back since. Their
 * timers would be late by as much.
 */
public final class SentAhead {

  /** A little later is only the clock of the process that sent it. */
  private static final String FIND =
      """
      SELECT id
      FROM   saga_instance saga
      WHERE  definition = ?
      AND    next_action_at > now()
      AND    next_action_at < 'infinity'
      AND    EXISTS (SELECT
                     FROM   saga_step step
                     WHERE  step.saga_id = saga.id
                     AND    step.due_at IS NOT NULL
                     AND    greatest(step.sent_at, step.compensation_sent_at)
                            > now() + interval '2 seconds')
      """;

  private SentAhead() {}

  /** Those of a definition that wait for an answer. */
  public static List<UUID> find(Connection connection, String definition) throws SQLException {
    return Sql.query(connection, FIND, row -> row.uuid("id"), definition);
  }
}
