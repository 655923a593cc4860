package io.onceflow.simulation.outbox;

import static io.onceflow.outbox.internal.AggregateOrdering.BY_AGE;

import io.onceflow.outbox.OutboxMessage;
import io.onceflow.outbox.internal.OutboxStore;
import io.onceflow.outbox.internal.OutboxTable;
import io.onceflow.simulation.database.Database;
import io.onceflow.simulation.database.SimulatedTransaction;
import io.onceflow.simulation.database.Table;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** {@code outbox_message} in memory; behaves like the SQL of {@link OutboxTable}. */
public class MemoryOutbox implements OutboxStore {

  /** Locked by one claim after the other; there is no lease under it. */
  private static final UUID CLAIMS = new UUID(0, 0);

  private final Database database;
  private final Table<UUID, Entry> table = new Table<>();
  private final Table<UUID, Lease> leases = new Table<>();
  private final Consumer<UUID> onDelete;

  private record Lease(UUID first, UUID last, Instant endsAt) {

    boolean covers(UUID id, Instant now) {
      return now.isBefore(endsAt)
          && BY_AGE.compare(first, id) <= 0
          && BY_AGE.compare(id, last) <= 0;
    }
  }

  record Entry(OutboxMessage message, int attempts, Instant dueAt) {}

  /**
   * @param onDelete told of each message that is deleted, once that is committed
   */
  public MemoryOutbox(Database database, Consumer<UUID> onDelete) {
    this.database = database;
    this.onDelete = onDelete;
  }

  @Override
  public void insert(Connection connection, Collection<OutboxMessage> messages, Duration grace)
      throws SQLException {
    if (!messages.isEmpty()) {
      SimulatedTransaction tx = SimulatedTransaction.of(connection);
      tx.statement(() -> "record " + messages.stream().map(OutboxMessage::type).toList());
      for (OutboxMessage message : messages) {
        table.put(tx, message.id(), new Entry(message, 0, database.now().plus(grace)));
      }
    }
  }

  @Override
  public Set<UUID> waiting(Connection connection, Collection<OutboxMessage> messages)
      throws SQLException {
    if (messages.isEmpty()) {
      return Set.of();
    }
    SimulatedTransaction tx = SimulatedTransaction.of(connection);
    tx.statement(() -> "look for what is sent again");
    List<OutboxMessage> before = table.all(tx).stream().map(Entry::message).toList();
    return messages.stream()
        .filter(again -> before.stream().anyMatch(one -> isSame(one, again)))
        .map(OutboxMessage::id)
        .collect(Collectors.toSet());
  }

  private static boolean isSame(OutboxMessage one, OutboxMessage other) {
    return Objects.equals(one.correlationId(), other.correlationId())
        && one.aggregateId().equals(other.aggregateId())
        && one.type().equals(other.type())
        && one.payload().equals(other.payload())
        && one.headers().equals(other.headers());
  }

  @Override
  public List<OutboxMessage> claim(Connection connection, int limit, UUID youngerThan)
      throws SQLException {
    SimulatedTransaction tx = SimulatedTransaction.of(connection);
    tx.statement(() -> "claim messages");
    leases.lock(tx, CLAIMS);
    Instant now = database.now();
    List<Lease> leased = leases.all(tx);
    return table.all(tx).stream()
        .filter(entry -> !entry.dueAt().isAfter(now))
        .filter(entry -> BY_AGE.compare(entry.message().id(), youngerThan) > 0)
        .filter(entry -> leased.stream().noneMatch(it -> it.covers(entry.message().id(), now)))
        .limit(limit)
        .map(Entry::message)
        .toList();
  }

  @Override
  public void lease(Connection connection, UUID lease, List<UUID> ids, Duration length)
      throws SQLException {
    SimulatedTransaction tx = SimulatedTransaction.of(connection);
    tx.statement(() -> "lease " + ids.size() + " messages");
    Instant end = database.now().plus(length);
    leases.put(tx, lease, new Lease(ids.getFirst(), ids.getLast(), end));
  }

  @Override
  public void endLease(Connection connection, UUID lease) throws SQLException {
    SimulatedTransaction tx = SimulatedTransaction.of(connection);
    tx.statement(() -> "end the lease of messages");
    leases.remove(tx, lease);
  }

  @Override
  public void release(Connection connection, Collection<UUID> ids) throws SQLException {
    dueIn(SimulatedTransaction.of(connection), ids, Duration.ZERO);
  }

  private void dueIn(SimulatedTransaction tx, Collection<UUID> ids, Duration pause)
      throws SQLException {
    if (ids.isEmpty()) {
      return;
    }
    tx.statement(() -> "put off " + ids.size() + " messages");
    Instant due = database.now().plus(pause);
    for (UUID id : ids) {
      Entry entry = table.get(tx, id);
      if (entry != null) {
        table.put(tx, id, new Entry(entry.message(), entry.attempts(), due));
      }
    }
  }

  @Override
  public void delete(Connection connection, Collection<UUID> ids) throws SQLException {
    if (!ids.isEmpty()) {
      SimulatedTransaction tx = SimulatedTransaction.of(connection);
      tx.statement(() -> "delete what was confirmed");
      for (UUID id : ids) {
        table.remove(tx, id);
        tx.afterCommit(() -> onDelete.accept(id));
      }
    }
  }

  @Override
  public void defer(Connection connection, Collection<UUID> ids, long firstMs, long longestMs)
      throws SQLException {
    if (!ids.isEmpty()) {
      SimulatedTransaction tx = SimulatedTransaction.of(connection);
      tx.statement(() -> "defer what was not confirmed");
      for (UUID id : ids) {
        Entry entry = table.get(tx, id);
        if (entry != null) {
          long pause = Math.min(firstMs << Math.min(entry.attempts(), 20), longestMs);
          Instant due = database.now().plus(Duration.ofMillis(pause));
          table.put(tx, id, new Entry(entry.message(), entry.attempts() + 1, due));
        }
      }
    }
  }

  /** When the first message is due; null when there is none. */
  public @Nullable Instant firstDue() {
    return table.rows().stream().map(Entry::dueAt).min(Instant::compareTo).orElse(null);
  }
}
