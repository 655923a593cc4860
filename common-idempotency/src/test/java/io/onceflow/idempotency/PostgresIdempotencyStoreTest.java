package io.onceflow.idempotency;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.onceflow.idempotency.testing.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;

/** PostgreSQL keeps the laws. */
class PostgresIdempotencyStoreTest extends IdempotencyStoreLaws {

  static final TestDatabase DATABASE = TestDatabase.migrated("payments");

  @Override
  protected Tx begin() throws SQLException {
    return new PostgresTx(DATABASE.begin());
  }

  @Override
  protected void expire(String scope, IdempotencyKey key) {
    DATABASE.update(
        """
        UPDATE idempotency_record
        SET    expires_at = expires_at - interval '1 h'
        WHERE  scope = ?
        AND    key = ?
        """,
        scope,
        key.value());
  }

  /** The real thing; the broken ones of {@link StoreLawsCanFailTest} override what they break. */
  static class PostgresTx implements Tx {

    private final IdempotencyTable records = new IdempotencyTable(new ObjectMapper());
    private final Connection connection;

    PostgresTx(Connection connection) {
      this.connection = connection;
    }

    @Override
    public Claim claim(String scope, IdempotencyKey key, Fingerprint print, Duration kept)
        throws SQLException {
      return records.claim(connection, scope, key, print, kept);
    }

    @Override
    public void complete(String scope, IdempotencyKey key, StoredResponse response)
        throws SQLException {
      records.complete(connection, scope, key, response);
    }

    @Override
    public void commit() throws SQLException {
      connection.commit();
    }

    @Override
    public void close() {
      try {
        connection.rollback();
        connection.close();
      } catch (SQLException e) {
        throw new IllegalStateException(e);
      }
    }
  }
}
