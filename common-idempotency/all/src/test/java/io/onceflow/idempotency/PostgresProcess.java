package io.onceflow.idempotency;

import io.onceflow.idempotency.internal.store.IdempotencyRecordTable;
import io.onceflow.idempotency.internal.store.IdempotencyStore;
import io.onceflow.idempotency.internal.store.LeaseTable;
import io.onceflow.idempotency.internal.store.PostgresStore;
import io.onceflow.idempotency.testing.TestDatabase;
import io.onceflow.idempotency.testing.TransactionalSource;
import io.onceflow.test.internal.TestConfig;
import io.onceflow.test.stores.StoreUnderTest.OneProcess;
import java.sql.SQLException;
import java.util.Map;
import javax.sql.DataSource;

/** A process that uses the PostgreSQL store. */
public class PostgresProcess implements OneProcess {

  private final TransactionalSource source;
  private final IdempotencyStore store;

  public PostgresProcess(TestDatabase database) {
    this(database.source());
  }

  public PostgresProcess(DataSource pool) {
    source = new TransactionalSource(pool);
    store =
        new PostgresStore(
            source,
            new IdempotencyRecordTable(),
            new LeaseTable(),
            TestConfig.idempotency(Map.of()));
  }

  @Override
  public IdempotencyStore store() {
    return store;
  }

  @Override
  public void begin() throws SQLException {
    source.begin();
  }

  @Override
  public void commit() throws SQLException {
    source.commit();
  }

  @Override
  public void rollBack() throws SQLException {
    source.rollBack();
  }

  @Override
  public void close() {
    try {
      rollBack();
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }
}
