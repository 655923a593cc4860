package io.onceflow.inbox.internal;

import io.onceflow.sql.Column;
import io.onceflow.sql.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Finds started steps of {@code inbox_message} that are due, by the index {@code
 * inbox_message_call_due}: neither steps of other types nor those of a scope with many are read
 * past.
 */
final class StartedSteps {

  /** Goes from type to type by the index: as many reads as there are types. */
  private static final String STARTED_TYPES =
      """
      WITH RECURSIVE started AS (
        (SELECT   envelope ->> 'type' AS type
         FROM     inbox_message
         WHERE    status = 'STARTED'
         ORDER BY 1
         LIMIT    1)
        UNION ALL
        SELECT (SELECT   envelope ->> 'type'
                FROM     inbox_message
                WHERE    status = 'STARTED'
                AND      envelope ->> 'type' > started.type
                ORDER BY 1
                LIMIT    1)
        FROM   started
        WHERE  started.type IS NOT NULL
      )
      SELECT type
      FROM   started
      WHERE  type IS NOT NULL
      """;

  /** Goes from scope to scope by the index, and takes the first few steps of each. */
  private static final String TAKE_OVER =
      """
      WITH RECURSIVE due_scope AS (
        (SELECT   scope COLLATE "C" AS scope
         FROM     inbox_message
         WHERE    status = 'STARTED'
         AND      envelope ->> 'type' = ?
         AND      scope COLLATE "C" > ?
         AND      lease_expires_at < now()
         AND      scope <> ALL (?)
         ORDER BY 1
         LIMIT    1)
        UNION ALL
        SELECT following.scope
        FROM   due_scope
        CROSS  JOIN LATERAL (
          SELECT   i.scope COLLATE "C" AS scope
          FROM     inbox_message i
          WHERE    i.status = 'STARTED'
          AND      i.envelope ->> 'type' = ?
          AND      i.scope COLLATE "C" > due_scope.scope
          AND      i.lease_expires_at < now()
          AND      i.scope <> ALL (?)
          ORDER BY 1
          LIMIT    1) AS following
      ),
      due AS (
        SELECT first.*
        FROM   (SELECT scope FROM due_scope LIMIT ?) AS chosen
        CROSS  JOIN LATERAL (
          SELECT   i.scope, i.step_key
          FROM     inbox_message i
          WHERE    i.status = 'STARTED'
          AND      i.envelope ->> 'type' = ?
          AND      i.scope COLLATE "C" = chosen.scope
          AND      i.lease_expires_at < now()
          ORDER BY i.lease_expires_at
          LIMIT    ?
          FOR UPDATE SKIP LOCKED) AS first        -- another replica takes it over
      )
      UPDATE inbox_message i
      SET    fencing_token    = i.fencing_token + 1,
             attempts         = i.attempts + 1,
             lease_expires_at = now() + ? * interval '1 ms'
      FROM   due
      WHERE  i.scope = due.scope
      AND    i.step_key = due.step_key
      RETURNING i.scope, i.step_key, i.fingerprint, i.status, i.fencing_token, i.attempts,
                i.envelope::text, i.outcome::text
      """;

  private StartedSteps() {}

  static Set<String> types(Connection connection) throws SQLException {
    return new TreeSet<>(Sql.query(connection, STARTED_TYPES, row -> row.text("type")));
  }

  static List<InboxRow> takeOver(Connection connection, DueSteps due, Duration lease)
      throws SQLException {
    Column without = Column.texts(due.without());
    return Sql.query(
        connection,
        TAKE_OVER,
        InboxTable::read,
        due.type(),
        due.after(),
        without,
        due.type(),
        without,
        due.scopes(),
        due.type(),
        due.perScope(),
        lease.toMillis());
  }
}
