package io.onceflow.outbox;

import io.onceflow.outbox.Publisher.Published;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import javax.sql.DataSource;

/**
 * One turn of the relay. The rows stay locked until their fate is known: rule 3, a row is deleted
 * only when the broker has confirmed it and did not return it.
 */
final class RelayBatch {

  private final DataSource database;
  private final OutboxStore table;
  private final Publisher publisher;
  private final OutboxConfig.Relay config;
  private final RelayReport report;
  private final ReadPosition position = new ReadPosition();
  private boolean heldUp;

  RelayBatch(
      DataSource database,
      OutboxStore table,
      Publisher publisher,
      OutboxConfig.Relay config,
      RelayMetrics metrics) {
    this.database = database;
    this.table = table;
    this.publisher = publisher;
    this.config = config;
    this.report = new RelayReport(metrics, config.confirmDeadline());
  }

  /**
   * Claims, publishes and deletes one batch.
   *
   * @return true when the batch was full, so that more rows probably wait
   */
  boolean relay() throws SQLException, IOException, InterruptedException {
    return relayNext() || position.wasBehindOthers() && relayNext();
  }

  private boolean relayNext() throws SQLException, IOException, InterruptedException {
    try (Connection connection = database.getConnection()) {
      connection.setAutoCommit(false);
      try {
        boolean full = relay(connection);
        connection.commit();
        return full;
      } catch (SQLException | IOException | InterruptedException | RuntimeException | Error e) {
        connection.rollback();
        throw e;
      }
    }
  }

  void close() {
    publisher.close();
  }

  /** True when the last batch had to leave rows to wait for older ones, and nothing else to do. */
  boolean isHeldUp() {
    return heldUp;
  }

  private boolean relay(Connection connection)
      throws SQLException, IOException, InterruptedException {
    heldUp = false;
    table.expectChange(connection);
    List<OutboxMessage> claimed = table.claim(connection, config.batchSize(), position.next());
    if (claimed.isEmpty()) {
      return false;
    }
    // Of what precedes these, another relay may have some in hand.
    Set<UUID> later = Precedence.heldUp(claimed, table.older(connection, claimed), Set.of());
    List<OutboxMessage> ready =
        claimed.stream().filter(message -> !later.contains(message.id())).toList();
    boolean isFull = claimed.size() == config.batchSize();
    heldUp = !later.isEmpty() && !isFull;
    table.putOff(connection, later);
    if (!ready.isEmpty()) {
      publish(connection, ready);
    }
    if (isFull) {
      position.goOnBehind(claimed.getLast().id());
    }
    return isFull;
  }

  private void publish(Connection connection, List<OutboxMessage> ready)
      throws SQLException, IOException, InterruptedException {
    Published published = publisher.publish(ready, config.confirmDeadline());
    List<OutboxMessage> undelivered =
        ready.stream().filter(message -> !published.confirmed().contains(message.id())).toList();
    table.delete(connection, published.confirmed());
    table.defer(
        connection,
        undelivered.stream().map(OutboxMessage::id).toList(),
        config.firstBackoff().toMillis(),
        config.longestBackoff().toMillis());
    report.published(published, undelivered);
  }
}
