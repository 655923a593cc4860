package io.onceflow.outbox.internal.cdc;

import io.onceflow.outbox.OutboxMessage;
import java.time.Instant;
import java.util.UUID;

/** What the log tells, of committed transactions alone, in the order of their commits. */
sealed interface Change {

  /** A transaction begins. */
  record Begun() implements Change {}

  /**
   * A row was inserted.
   *
   * @param dueAt from when on relays that read the table take it, by the clock of the database
   */
  record Inserted(OutboxMessage message, Instant dueAt) implements Change {}

  /** A row was deleted. */
  record Deleted(UUID id) implements Change {}

  /**
   * The transaction has committed.
   *
   * @param end position in the log behind it
   */
  record Committed(long end) implements Change {}

  /** A heartbeat, which belongs to no transaction. */
  record Heartbeat(long position) implements Change {}

  /** All that is of no use here. */
  record Other() implements Change {}
}
