package io.onceflow.idempotency.internal.store;

import io.onceflow.core.internal.ScopedKey;
import io.onceflow.sql.Sql;
import jakarta.enterprise.context.ApplicationScoped;
import java.sql.Connection;
import java.sql.SQLException;

/**
 * Finds claims in open transactions, whose rows are not visible, by their advisory locks. The query
 * takes no lock, which would make a concurrent claim fail.
 */
@ApplicationScoped
public class UncommittedClaims {

  private static final String HOLDS =
      """
      SELECT EXISTS (
        SELECT
        FROM   pg_locks,
               hashtextextended(?, hashtext(?)) AS lock_key
        WHERE  locktype = 'advisory'
        AND    database = (SELECT oid FROM pg_database WHERE datname = current_database())
        AND    classid = ((lock_key >> 32) & 4294967295)::oid
        AND    objid = (lock_key & 4294967295)::oid
        AND    objsubid = 1
      ) AS is_held
      """;

  /** Whether an open transaction has claimed this key. */
  boolean holds(Connection connection, ScopedKey key) throws SQLException {
    return Sql.query(connection, HOLDS, row -> row.truth("is_held"), key.key().value(), key.scope())
        .getFirst();
  }
}
