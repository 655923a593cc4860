package io.onceflow.outbox.internal.relay;

import io.micrometer.core.instrument.MeterRegistry;
import io.onceflow.internal.database.DatabaseTransaction;
import io.onceflow.internal.queue.LowWaterMark;
import io.onceflow.outbox.OutboxMessage;
import io.onceflow.outbox.internal.AggregateOrdering;
import io.onceflow.outbox.internal.OutboxConfig;
import io.onceflow.outbox.internal.OutboxStore;
import io.onceflow.outbox.internal.transport.Publisher;
import io.onceflow.outbox.internal.transport.Publisher.Published;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import javax.sql.DataSource;

/**
 * One turn of the relay, in two transactions and none in between: while the broker is waited for no
 * lock is held and no transaction is open. The first one claims rows and leases them to this relay,
 * the second one deletes what the broker has confirmed and did not return (rule 3), and ends the
 * lease. A relay that dies in between lets others have its rows when the lease ends by itself.
 */
public final class RelayBatch {

  /** Beyond the deadline of the confirms: for closing a channel, and for the second transaction. */
  private static final Duration LEASE_MARGIN = Duration.ofSeconds(5);

  private final DataSource database;
  private final OutboxStore table;
  private final Publisher publisher;
  private final OutboxConfig.Relay config;
  private final RelayReport report;
  private final ClaimScan claims;
  private boolean heldUp;
  private boolean foundNothing;

  public RelayBatch(
      DataSource database,
      OutboxStore table,
      Publisher publisher,
      OutboxConfig.Relay config,
      MeterRegistry metrics) {
    this(database, table, publisher, config, metrics, ClaimScan.mark(database));
  }

  /**
   * @param mark which the batches of a process share
   */
  RelayBatch(
      DataSource database,
      OutboxStore table,
      Publisher publisher,
      OutboxConfig.Relay config,
      MeterRegistry metrics,
      LowWaterMark<UUID> mark) {
    this.database = database;
    this.table = table;
    this.publisher = publisher;
    this.config = config;
    this.claims = new ClaimScan(table, mark, config.batchSize());
    this.report = new RelayReport(metrics, config.confirmDeadline());
  }

  /**
   * Claims, publishes and deletes one batch.
   *
   * @return true when the batch was full, so that more rows probably wait
   */
  public boolean relay() throws SQLException, IOException, InterruptedException {
    foundNothing = true;
    return relayNext() || claims.wasBehindOthers() && relayNext();
  }

  private boolean relayNext() throws SQLException, IOException, InterruptedException {
    heldUp = false;
    if (!publisher.isReady()) {
      foundNothing = false;
      return false;
    }
    Claim claim = DatabaseTransaction.call(database, this::claim);
    foundNothing &= claim.ready().isEmpty() && !heldUp;
    if (!claim.ready().isEmpty()) {
      publish(claim);
    }
    return claim.isFull();
  }

  /**
   * @param lease of what is ready
   * @param ready what nothing precedes, leased to this relay
   */
  private record Claim(UUID lease, List<OutboxMessage> ready, boolean isFull) {}

  void close() {
    publisher.close();
  }

  /** True when the last turn looked, and there was nothing that it could claim. */
  boolean foundNothing() {
    return foundNothing;
  }

  /** True when the last batch had to leave rows to wait for older ones, and nothing else to do. */
  boolean isHeldUp() {
    return heldUp;
  }

  private Claim claim(Connection connection) throws SQLException {
    UUID lease = UUID.randomUUID();
    table.expectChange(connection);
    List<OutboxMessage> claimed = claims.next(connection);
    if (claimed.isEmpty()) {
      return new Claim(lease, claimed, false);
    }
    // Of what precedes these, another relay may have some in hand.
    Set<UUID> later = AggregateOrdering.heldUp(claimed, table.older(connection, claimed));
    List<OutboxMessage> ready =
        claimed.stream().filter(message -> !later.contains(message.id())).toList();
    boolean isFull = claimed.size() == config.batchSize();
    heldUp = !later.isEmpty() && !isFull;
    table.putOff(connection, later);
    if (!ready.isEmpty()) {
      table.lease(connection, lease, ids(ready), config.confirmDeadline().plus(LEASE_MARGIN));
    }
    if (isFull) {
      claims.goOnBehind(claimed.getLast().id());
    }
    return new Claim(lease, ready, isFull);
  }

  private void publish(Claim claim) throws SQLException, IOException, InterruptedException {
    boolean isSettled = false;
    try {
      Published published = publisher.publish(claim.ready(), config.confirmDeadline());
      settle(claim, published);
      isSettled = true;
    } catch (IOException | InterruptedException | RuntimeException | Error e) {
      endLease(claim.lease(), e);
      throw e;
    } finally {
      if (!isSettled) {
        claims.putBack(claim.ready().getFirst().id());
      }
    }
  }

  private void settle(Claim claim, Published published) throws SQLException {
    List<OutboxMessage> undelivered =
        claim.ready().stream()
            .filter(message -> !published.confirmed().contains(message.id()))
            .toList();
    DatabaseTransaction.run(
        database,
        connection -> {
          table.expectChange(connection);
          table.delete(connection, published.confirmed());
          table.defer(
              connection,
              ids(undelivered),
              config.firstBackoff().toMillis(),
              config.longestBackoff().toMillis());
          table.endLease(connection, claim.lease());
        });
    report.published(published.confirmed().size(), published.refused(), undelivered);
  }

  /** Nothing was published, or it is in doubt: any relay may have it at once. */
  private void endLease(UUID lease, Throwable failure) {
    try {
      DatabaseTransaction.run(database, connection -> table.endLease(connection, lease));
    } catch (SQLException | RuntimeException e) {
      failure.addSuppressed(e);
    }
  }

  private static List<UUID> ids(List<OutboxMessage> messages) {
    return messages.stream().map(OutboxMessage::id).toList();
  }
}
