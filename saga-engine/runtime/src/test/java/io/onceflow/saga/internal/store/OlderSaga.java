package io.onceflow.saga.internal.store;

import io.onceflow.sql.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.UUID;

/** A saga that is made to look as if it had started, and ended, longer ago. */
public final class OlderSaga {

  private OlderSaga() {}

  /**
   * Ids are UUIDv7, so the saga gets another one.
   *
   * @param ago such as {@code 31 days}
   * @return its new id
   */
  public static UUID make(Connection tx, UUID saga, String ago) throws SQLException {
    String age =
        """
        WITH older AS (
          SELECT id,
                 (lpad(to_hex((extract(epoch FROM now() - ?::interval) * 1000)::bigint), 12, '0')
                  || '7' || substr(replace(id::text, '-', ''), 14))::uuid AS new_id
          FROM   saga_instance
          WHERE  id = ?
        ),
        journal AS (
          UPDATE saga_journal SET saga_id = new_id FROM older WHERE saga_id = id
        ),
        attributes AS (
          UPDATE saga_attribute SET saga_id = new_id FROM older WHERE saga_id = id
        )
        UPDATE saga_instance saga
        SET    id         = new_id,
               started_at = now() - ?::interval,
               ended_at   = CASE WHEN ended_at IS NOT NULL THEN now() - ?::interval END
        FROM   older
        WHERE  saga.id = older.id
        RETURNING new_id
        """;
    return Sql.find(tx, age, row -> row.uuid("new_id"), ago, saga, ago, ago).orElseThrow();
  }
}
