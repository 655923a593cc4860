package io.onceflow.inbox.internal;

import io.onceflow.internal.retention.CollectedTable;
import java.time.Duration;
import java.util.Optional;

/**
 * What has expired in {@code inbox_message}: steps that ended longer ago than the retention. A
 * tombstone ends when it is set.
 *
 * <p>A step that runs is never touched, however long it has. Nor is an ended one of the same root
 * key: a refund that the gateway has refused for weeks finds out what to give back by the row of
 * its charge, each time that it is tried.
 */
public final class EndedSteps {

  /** The expired rows, as the end of a SELECT; its parameters are the retention and a number. */
  private static final String EXPIRED =
      """
      FROM   inbox_message AS e,
             (SELECT now() - ? * interval '1 ms' AS cutoff) AS retention
      WHERE  received_at <= cutoff                -- by inbox_message_received
      AND    status <> 'STARTED'
      AND    coalesce(completed_at, received_at) <= cutoff
      AND    NOT EXISTS (                         -- by inbox_message_stored
               SELECT
               FROM   inbox_message s
               WHERE  s.envelope IS NOT NULL
               AND    s.attempts >= 0
               AND    s.fencing_token > 0
               AND    s.scope = e.scope
               AND    coalesce(substring(s.step_key FROM '^(.*):'), s.step_key)
                        = coalesce(substring(e.step_key FROM '^(.*):'), e.step_key)
             )
      ORDER  BY received_at
      LIMIT  ?
      """;

  private static final String DELETE =
      """
      WITH garbage AS (
      SELECT scope, step_key, received_at
      %s
      FOR UPDATE OF e SKIP LOCKED                 -- another replica deletes those
      )
      DELETE FROM inbox_message i
      USING  garbage
      WHERE  i.scope = garbage.scope
      AND    i.step_key = garbage.step_key
      AND    i.received_at = garbage.received_at  -- names its partition, if there are any
      """
          .formatted(EXPIRED);

  private static final String BACKLOG =
      """
      SELECT count(*), greatest(0, extract(epoch FROM now() - min(ended_at)) * 1000)
      FROM   (
      SELECT coalesce(completed_at, received_at) AS ended_at
      %s
      ) AS garbage
      """
          .formatted(EXPIRED);

  private static final String IS_LIVE =
      """
      SELECT EXISTS (
               SELECT
               FROM   %1$s
               WHERE  status <> 'STARTED'
               AND    coalesce(completed_at, received_at) > now() - ? * interval '1 ms'
             )
          OR EXISTS (SELECT FROM %1$s WHERE status = 'STARTED' AND attempts >= 0)
      """;

  private static final String IS_AWAITED =
      """
      SELECT EXISTS (
        SELECT
        FROM   %1$s e
        JOIN   inbox_message s
               ON  s.scope = e.scope
               AND coalesce(substring(s.step_key FROM '^(.*):'), s.step_key)
                     = coalesce(substring(e.step_key FROM '^(.*):'), e.step_key)
        WHERE  s.status = 'STARTED'
        AND    s.attempts >= 0                        -- by inbox_message_started
      )
      """;

  /** A handful of them cover a retention of a month. */
  private static final int DAYS = 5;

  private EndedSteps() {}

  /** The table, of which rows are kept this long after their step has ended. */
  public static CollectedTable table(Duration retention) {
    return new CollectedTable(
        "inbox_message",
        "scope, step_key",
        "received_at",
        DAYS,
        retention,
        DELETE,
        BACKLOG,
        IS_LIVE,
        Optional.of(IS_AWAITED));
  }
}
