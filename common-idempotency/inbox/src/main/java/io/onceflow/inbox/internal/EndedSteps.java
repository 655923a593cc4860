package io.onceflow.inbox.internal;

import io.onceflow.sql.ExpiringTable.CollectedTable;
import java.time.Duration;

/**
 * What has expired in {@code inbox_message}: steps that ended longer ago than the retention. A
 * tombstone ends when it is set.
 *
 * <p>A step that runs is never touched, however long it has. Nor is an ended one of the same root
 * key: a refund that the gateway has refused for weeks finds out what to give back by the row of
 * its charge, each time that it is tried.
 */
public final class EndedSteps {

  /** The end of a SELECT; its parameters are the retention and a number. */
  private static final String EXPIRED =
      """
      FROM   inbox_message AS old,
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
               AND    s.scope = old.scope
               AND    coalesce(substring(s.step_key FROM '^(.*):'), s.step_key)
                        = coalesce(substring(old.step_key FROM '^(.*):'), old.step_key)
             )
      ORDER  BY received_at
      LIMIT  ?
      """;

  private EndedSteps() {}

  /** The table, of which rows are kept this long after their step has ended. */
  public static CollectedTable table(Duration retention) {
    return CollectedTable.of(
        "inbox_message", "coalesce(completed_at, received_at)", retention, EXPIRED);
  }
}
