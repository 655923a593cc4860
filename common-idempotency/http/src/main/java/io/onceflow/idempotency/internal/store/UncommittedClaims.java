package io.onceflow.idempotency.internal.store;

import io.onceflow.core.internal.ScopedKey;
import jakarta.enterprise.context.ApplicationScoped;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * Claims in transactions that have not ended: their rows cannot be seen, but their advisory locks
 * can. Looking takes no lock itself, which a request that claims just then would trip over.
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
      )
      """;

  /** Whether a transaction is open that claimed this key. */
  boolean holds(Connection connection, ScopedKey key) throws SQLException {
    try (PreparedStatement holds = connection.prepareStatement(HOLDS)) {
      holds.setString(1, key.key().value());
      holds.setString(2, key.scope());
      try (ResultSet row = holds.executeQuery()) {
        row.next();
        return row.getBoolean(1);
      }
    }
  }
}
