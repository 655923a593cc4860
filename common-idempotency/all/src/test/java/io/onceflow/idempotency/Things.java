package io.onceflow.idempotency;

import io.onceflow.outbox.Outbox;
import io.onceflow.outbox.OutboxMessage;
import jakarta.inject.Singleton;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** A business for tests: a row and a message for each thing that is made. */
@Singleton
class Things {

  private final DataSource database;
  private final Outbox outbox;

  Things(DataSource database, Outbox outbox) {
    this.database = database;
    this.outbox = outbox;
  }

  UUID make(String name) {
    return make(name, null);
  }

  /**
   * Writes both in whatever transaction is open.
   *
   * @param maker one who does not exist spoils the commit
   */
  UUID make(String name, @Nullable String maker) {
    UUID id = UUID.randomUUID();
    make(id, name, maker);
    return id;
  }

  void make(UUID id, String name, @Nullable String maker) {
    try (Connection connection = database.getConnection();
        PreparedStatement insert =
            connection.prepareStatement("INSERT INTO thing (id, name, maker) VALUES (?, ?, ?)")) {
      insert.setObject(1, id);
      insert.setString(2, name);
      insert.setString(3, maker);
      insert.executeUpdate();
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
    outbox.send(List.of(made(name)));
  }

  private static OutboxMessage made(String name) {
    return new OutboxMessage(
        OutboxMessage.newId(),
        "thing",
        name,
        "ThingMade",
        "{}",
        OutboxMessage.EVENTS,
        "thing.made",
        null,
        null,
        Map.of());
  }
}
