package io.onceflow.simulation.outbox;

import io.onceflow.outbox.OutboxMessage;
import io.onceflow.simulation.database.Database;
import io.onceflow.simulation.database.SimulatedTransaction;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.UUID;
import java.util.function.Consumer;

/** Without rule 1: messages are recorded in a separate transaction. */
public final class LeakyOutbox extends MemoryOutbox {

  private final Database database;

  public LeakyOutbox(Database database, Consumer<UUID> onDelete) {
    super(database, onDelete);
    this.database = database;
  }

  @Override
  public void insert(Connection connection, Collection<OutboxMessage> messages, Duration grace)
      throws SQLException {
    if (!messages.isEmpty()) {
      try (Connection own = database.connect(SimulatedTransaction.of(connection).node())) {
        super.insert(own, messages, grace);
        own.commit();
      }
    }
  }
}
