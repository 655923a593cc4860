package io.onceflow.idempotency.internal.store;

import io.onceflow.internal.retention.CollectedTable;
import java.time.Duration;
import java.util.Optional;

/**
 * Garbage collection of {@code idempotency_record}.
 *
 * <p>A claim whose lease has not ended is never deleted, however long ago it expired. Neither is
 * one whose lease ended within the last hour, nor one whose caller was answered 202, also after an
 * outage that was longer than the retention: the recovery sweep completes its work first. After
 * thirty days that is given up: no replica has known its operation, or could read it.
 */
public final class ExpiredRecords {

  private static final String DELETE =
      """
      WITH garbage AS (
        SELECT scope, key, created_at
        FROM   idempotency_record
        WHERE  expires_at <= now() - ? * interval '1 ms'
        AND    (lease_expires_at IS NULL
                OR lease_expires_at <= now() - interval '1 h' AND accepted_at IS NULL
                OR lease_expires_at <= now() - interval '30 d')
        ORDER  BY expires_at
        LIMIT  ?
        FOR UPDATE SKIP LOCKED                  -- another replica or a claim deletes those
      )
      DELETE FROM idempotency_record r
      USING  garbage
      WHERE  r.scope = garbage.scope
      AND    r.key = garbage.key
      AND    r.created_at = garbage.created_at  -- names its partition, if there are any
      """;

  private static final String BACKLOG =
      """
      SELECT count(*), greatest(0, extract(epoch FROM now() - min(expires_at)) * 1000)
      FROM   (
        SELECT expires_at
        FROM   idempotency_record
        WHERE  expires_at <= now() - ? * interval '1 ms'
        AND    (lease_expires_at IS NULL
                OR lease_expires_at <= now() - interval '1 h' AND accepted_at IS NULL
                OR lease_expires_at <= now() - interval '30 d')
        ORDER  BY expires_at
        LIMIT  ?
      ) AS garbage
      """;

  private static final String IS_LIVE =
      """
      SELECT EXISTS (SELECT FROM %1$s WHERE expires_at > now() - ? * interval '1 ms')
          OR EXISTS (SELECT FROM %1$s WHERE lease_expires_at > now() - interval '1 h')
          OR EXISTS (SELECT FROM %1$s
                     WHERE  lease_expires_at > now() - interval '30 d'
                     AND    accepted_at IS NOT NULL)
      """;

  /** The default retention. */
  private static final int DAYS = 1;

  /** Each row has its own time of expiry. */
  public static final CollectedTable TABLE =
      new CollectedTable(
          "idempotency_record",
          "scope, key",
          "created_at",
          DAYS,
          Duration.ZERO,
          DELETE,
          BACKLOG,
          IS_LIVE,
          Optional.empty());

  private ExpiredRecords() {}
}
