package io.onceflow.outbox;

import io.onceflow.outbox.Publisher.Published;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import javax.sql.DataSource;
import org.jboss.logging.Logger;

/**
 * One turn of the relay. The rows stay locked until their fate is known: rule 3, a row is deleted
 * only when the broker has confirmed it and did not return it.
 */
final class RelayBatch {

  private static final Logger LOG = Logger.getLogger(RelayBatch.class);

  private final DataSource database;
  private final OutboxStore table;
  private final Publisher publisher;
  private final OutboxConfig.Relay config;
  private final RelayMetrics metrics;

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
    this.metrics = metrics;
  }

  /**
   * Claims, publishes and deletes one batch.
   *
   * @return true when the batch was full, so that more rows probably wait
   */
  boolean relay() throws SQLException, IOException, InterruptedException {
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

  private boolean relay(Connection connection)
      throws SQLException, IOException, InterruptedException {
    List<OutboxMessage> claimed = table.claim(connection, config.batchSize());
    if (claimed.isEmpty()) {
      return false;
    }
    Published published = publisher.publish(claimed, config.confirmDeadline());
    Set<UUID> undelivered = undelivered(claimed, published);
    table.delete(connection, published.confirmed());
    table.defer(
        connection,
        undelivered,
        config.firstBackoff().toMillis(),
        config.longestBackoff().toMillis());
    report(claimed, published, undelivered);
    return claimed.size() == config.batchSize();
  }

  private static Set<UUID> undelivered(List<OutboxMessage> claimed, Published published) {
    Set<UUID> undelivered = new HashSet<>();
    claimed.forEach(message -> undelivered.add(message.id()));
    undelivered.removeAll(published.confirmed());
    return undelivered;
  }

  private void report(List<OutboxMessage> claimed, Published published, Set<UUID> undelivered) {
    metrics.published(published, undelivered.size());
    for (OutboxMessage message : claimed) {
      if (undelivered.contains(message.id())) {
        LOG.warnf(
            "%s %s of %s %s was not delivered: %s; it stays in the outbox and is sent again",
            message.type(),
            message.id(),
            message.aggregateType(),
            message.aggregateId(),
            published
                .refused()
                .getOrDefault(message.id(), "no confirm came within " + config.confirmDeadline()));
      }
    }
  }
}
