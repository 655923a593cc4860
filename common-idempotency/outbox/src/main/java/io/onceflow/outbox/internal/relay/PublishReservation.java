package io.onceflow.outbox.internal.relay;

import io.onceflow.outbox.OutboxMessage;
import io.onceflow.outbox.internal.AggregateOrdering;
import io.onceflow.outbox.internal.OutboxStore;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The outbox's part of one transaction. Whether this process publishes its messages by itself is
 * decided when they are written.
 */
public final class PublishReservation {

  private final RelaySignal signal;
  private final @Nullable DirectPublisher publisher;
  private final boolean keepsRows;
  private List<OutboxMessage> written = List.of();
  private Set<UUID> heldUp = Set.of();
  private Set<UUID> deleted = Set.of();
  private boolean isPublishedHere;
  private boolean isLast;
  private long losses;
  private long until;

  PublishReservation(RelaySignal signal, @Nullable DirectPublisher publisher, boolean keepsRows) {
    this.signal = signal;
    this.publisher = publisher;
    this.keepsRows = keepsRows;
  }

  /** How long a row that is now written is left to this process; zero if relays publish it. */
  public Duration grace() {
    return publisher == null ? Duration.ZERO : publisher.grace();
  }

  /**
   * Writes messages.
   *
   * @param isLast whether the transaction ends after it: then the rows of messages that were
   *     confirmed meanwhile are deleted in it, so that they cost no transaction of their own
   */
  public void write(
      Connection connection, OutboxStore table, Collection<OutboxMessage> messages, boolean isLast)
      throws SQLException {
    if (messages.isEmpty()) {
      return;
    }
    Duration grace = grace();
    written = List.copyOf(messages);
    if (publisher == null || grace.isZero()) {
      table.insert(connection, written, grace);
    } else {
      InFlightMessages inFlight = publisher.messages();
      isPublishedHere = true;
      this.isLast = isLast;
      losses = inFlight.losses();
      until = publisher.now() + grace.toNanos();
      deleted = isLast ? inFlight.takeConfirmed() : Set.of();
      heldUp = table.insert(connection, written, grace, inFlight.underWay(written), deleted);
    }
    if (!keepsRows) {
      // Another program reads the log, which has them.
      table.delete(connection, messages.stream().map(OutboxMessage::id).toList());
    }
  }

  /** Publishes the messages, or has the relays do it; throws nothing. */
  public void committed() {
    if (publisher != null && isPublishedHere) {
      InFlightMessages inFlight = publisher.messages();
      inFlight.deleted(deleted);
      publisher.publish(written, later(inFlight), until);
    } else if (keepsRows && !written.isEmpty()) {
      signal.raise();
    }
  }

  /**
   * What an older message precedes. That was asked when they were written: another one may have
   * been committed since, or one that was under way may not have arrived. Then all wait for a look
   * at the table.
   */
  private Set<UUID> later(InFlightMessages messages) {
    return isLast && losses == messages.losses() ? heldUp : AggregateOrdering.ordered(written);
  }

  /** Nothing was written or deleted, or it is unknown. */
  public void rolledBack() {
    if (publisher != null) {
      publisher.messages().putBack(deleted);
    }
  }
}
