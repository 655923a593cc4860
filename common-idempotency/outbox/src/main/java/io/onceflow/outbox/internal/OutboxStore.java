package io.onceflow.outbox.internal;

import io.onceflow.outbox.OutboxMessage;
import io.onceflow.outbox.internal.AggregateOrdering.Older;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/**
 * Where messages wait to be published. Every method works in the transaction of the connection that
 * it is given, on any number of messages, and leaves commit and rollback to the caller.
 */
public interface OutboxStore {

  /** Is older than every message. */
  UUID START = new UUID(0, 0);

  /**
   * Records messages.
   *
   * @param grace how long other relays leave them alone, since the process that records them means
   *     to publish them itself; zero for due at once
   */
  void insert(Connection connection, Collection<OutboxMessage> messages, Duration grace)
      throws SQLException;

  /**
   * The same, of a process that publishes them itself; looks for what lies here of the aggregates
   * of messages that wait for older ones, and forgets what the broker has taken for good.
   *
   * @param underWay what is in transit to the broker already, or has arrived there, and therefore
   *     holds up no other message
   * @return the ids of those that an older one precedes
   */
  default Set<UUID> insert(
      Connection connection,
      Collection<OutboxMessage> messages,
      Duration grace,
      Set<UUID> underWay,
      Set<UUID> confirmed)
      throws SQLException {
    insert(connection, messages, grace);
    delete(connection, confirmed);
    return Set.of();
  }

  /** Those of the messages of which an equal one, but for id and trace, waits here. */
  default Set<UUID> waiting(Connection connection, Collection<OutboxMessage> messages)
      throws SQLException {
    return Set.of();
  }

  /**
   * Starts a relay's transaction: what follows finds its messages the same way whether many wait or
   * few. For stores to which that is not natural.
   */
  default void expectChange(Connection connection) throws SQLException {}

  /**
   * Looks for where a claim may start, for stores to which it matters: they read past messages that
   * were deleted, as long as another transaction can see those.
   *
   * @param mark what is older may be left out; {@link #START} to leave out nothing
   * @return all other messages, due or not, are younger than the one of this id
   */
  default UUID claimsBegin(Connection connection, UUID mark) throws SQLException {
    return START;
  }

  /**
   * Reads up to {@code limit} messages that are due and that no relay has leased, oldest first. No
   * other relay claims anything until the transaction ends.
   *
   * @param youngerThan only messages younger than the one of this id: it takes a table time to pass
   *     by what has just been deleted
   */
  List<OutboxMessage> claim(Connection connection, int limit, UUID youngerThan) throws SQLException;

  /**
   * What lies here of the aggregates of messages that wait for older ones, and is older than the
   * newest of each: the messages themselves may be among it.
   */
  default List<Older> older(Connection connection, Collection<OutboxMessage> messages)
      throws SQLException {
    return List.of();
  }

  /**
   * Leaves messages alone for a moment, about as long as an older one of their aggregate is left
   * alone, so that they do not stand in the way of others.
   */
  default void putOff(Connection connection, Collection<UUID> ids) throws SQLException {}

  /**
   * Leaves messages to the relay that has claimed them, until it {@linkplain #endLease ends} the
   * lease or the time is over: its transaction ends before it publishes. What lies between them is
   * left alone as long.
   *
   * @param lease a new id
   * @param ids of messages that this transaction has claimed, in that order; at least one
   */
  void lease(Connection connection, UUID lease, List<UUID> ids, Duration length)
      throws SQLException;

  /**
   * Lets any relay have what is still there of a batch that was leased, and forgets leases that
   * have ended by themselves: those of relays that died.
   */
  void endLease(Connection connection, UUID lease) throws SQLException;

  /** Lets any relay have messages at once that were left to the process that wrote them. */
  default void release(Connection connection, Collection<UUID> ids) throws SQLException {}

  /** Forgets messages that the broker has taken for good. */
  void delete(Connection connection, Collection<UUID> ids) throws SQLException;

  /** Puts messages off: twice as long each time, from {@code firstMs} up to {@code longestMs}. */
  void defer(Connection connection, Collection<UUID> ids, long firstMs, long longestMs)
      throws SQLException;
}
