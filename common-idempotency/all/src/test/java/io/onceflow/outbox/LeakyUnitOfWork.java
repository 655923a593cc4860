package io.onceflow.outbox;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.onceflow.outbox.internal.OutboxStore;
import io.onceflow.outbox.internal.OutboxTable;
import io.onceflow.outbox.internal.TransactionalOutbox;
import io.onceflow.outbox.internal.UnitOfWork;
import io.onceflow.outbox.internal.relay.RelaySignal;
import io.onceflow.outbox.internal.transport.Publisher;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import javax.sql.DataSource;

/** Rule 1 taken out: what is to be told is committed by itself, whatever becomes of the rest. */
public final class LeakyUnitOfWork {

  private LeakyUnitOfWork() {}

  /** One on this database. */
  public static UnitOfWork on(DataSource database) {
    RelaySignal signal = new RelaySignal();
    OutboxTable table = new OutboxTable(new ObjectMapper());
    TransactionalOutbox outbox =
        new TransactionalOutbox(
            database, new CommitsAtOnce(database, table), PlainUnitOfWork.noTransactions(), signal);
    return new UnitOfWork(database, outbox);
  }

  /** Deletes what it claims before anybody has published it: rule 3 taken out. */
  public static void relay(DataSource database, Publisher publisher)
      throws SQLException, IOException, InterruptedException {
    RelayTurn.take(
        database, publisher, new DeletesAtOnce(database, new OutboxTable(new ObjectMapper())));
  }

  private record CommitsAtOnce(DataSource database, OutboxStore table) implements Delegating {

    @Override
    public void insert(Connection connection, Collection<OutboxMessage> messages, Duration grace)
        throws SQLException {
      try (Connection own = database.getConnection()) {
        own.setAutoCommit(true);
        table.insert(own, messages, grace);
      }
    }
  }

  private record DeletesAtOnce(DataSource database, OutboxStore table) implements Delegating {

    @Override
    public List<OutboxMessage> claim(Connection connection, int limit, UUID youngerThan)
        throws SQLException {
      List<OutboxMessage> claimed = table.claim(connection, limit, youngerThan);
      table.delete(connection, claimed.stream().map(OutboxMessage::id).toList());
      connection.commit();
      return claimed;
    }
  }

  private interface Delegating extends OutboxStore {

    OutboxStore table();

    @Override
    default void insert(Connection connection, Collection<OutboxMessage> messages, Duration grace)
        throws SQLException {
      table().insert(connection, messages, grace);
    }

    @Override
    default List<OutboxMessage> claim(Connection connection, int limit, UUID youngerThan)
        throws SQLException {
      return table().claim(connection, limit, youngerThan);
    }

    @Override
    default void lease(Connection connection, UUID lease, List<UUID> ids, Duration length)
        throws SQLException {
      table().lease(connection, lease, ids, length);
    }

    @Override
    default void endLease(Connection connection, UUID lease) throws SQLException {
      table().endLease(connection, lease);
    }

    @Override
    default void delete(Connection connection, Collection<UUID> ids) throws SQLException {
      table().delete(connection, ids);
    }

    @Override
    default void defer(Connection connection, Collection<UUID> ids, long firstMs, long longestMs)
        throws SQLException {
      table().defer(connection, ids, firstMs, longestMs);
    }
  }
}
