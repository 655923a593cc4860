package io.onceflow.outbox.internal.cdc;

import io.onceflow.outbox.OutboxMessage;
import io.onceflow.outbox.internal.cdc.Change.Begun;
import io.onceflow.outbox.internal.cdc.Change.Committed;
import io.onceflow.outbox.internal.cdc.Change.Deleted;
import io.onceflow.outbox.internal.cdc.Change.Heartbeat;
import io.onceflow.outbox.internal.cdc.Change.Inserted;
import io.onceflow.outbox.internal.cdc.Change.Other;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * Hands on what the transactions of one stream have written, commit by commit. Of the rows it hands
 * on those that were put off when they were written; what was due at once is for the relays that
 * read the table.
 */
final class LogTransactions {

  private static final int MOST_AT_ONCE = 500;
  private static final Duration WAIT_FOR_ROOM = Duration.ofSeconds(1);

  private final CommittedMessages messages;
  private final StillWaiting stillWaiting;
  private final DatabaseTime time;
  private final long caughtUpAt;
  private final UnsettledRows unsettled;
  private final Map<UUID, Inserted> inserted = new LinkedHashMap<>();
  private final Set<UUID> deleted = new HashSet<>();

  /** Asked of messages that were written before the stream was opened. */
  interface StillWaiting {

    /** Those of these that lie in the table, put off. */
    Set<UUID> of(Collection<UUID> ids) throws SQLException;
  }

  /**
   * @param state as the stream was opened
   */
  LogTransactions(
      CommittedMessages messages,
      StillWaiting stillWaiting,
      DatabaseTime time,
      ReplicationSlot.State state) {
    this.messages = messages;
    this.stillWaiting = stillWaiting;
    this.time = time;
    this.caughtUpAt = state.written();
    this.unsettled = new UnsettledRows(state.settled());
  }

  /** Takes the next change of the stream, and tells the stream how far all is dealt with. */
  void take(Change change, LogStream stream) throws SQLException, InterruptedException {
    switch (change) {
      case Begun() -> {
        inserted.clear();
        deleted.clear();
      }
      case Inserted row -> inserted.put(row.message().id(), row);
      case Deleted(UUID id) -> {
        inserted.remove(id);
        deleted.add(id);
      }
      case Committed(long end) -> {
        unsettled.deleted(deleted);
        handOn(end, stream);
        unsettled.readTo(end);
        stream.settled(unsettled.settled(System.nanoTime()));
      }
      case Heartbeat(long position) -> {
        unsettled.readTo(position);
        stream.settled(unsettled.settled(System.nanoTime()));
      }
      case Other() -> {}
    }
  }

  private void handOn(long end, LogStream stream) throws SQLException, InterruptedException {
    long now = System.nanoTime();
    inserted.values().removeIf(row -> time.nanoTimeOf(row.dueAt()) - now <= 0);
    if (!inserted.isEmpty() && end <= caughtUpAt) {
      inserted.keySet().retainAll(stillWaiting.of(inserted.keySet()));
    }
    List<OutboxMessage> some = new ArrayList<>();
    long until = Long.MAX_VALUE;
    for (Inserted row : inserted.values()) {
      long itsEnd = time.nanoTimeOf(row.dueAt());
      unsettled.add(row.message().id(), itsEnd);
      until = some.isEmpty() || itsEnd - until < 0 ? itsEnd : until;
      some.add(row.message());
      if (some.size() == MOST_AT_ONCE) {
        handOn(some, until, stream);
        some = new ArrayList<>();
      }
    }
    handOn(some, until, stream);
  }

  /** Waits for room, but not for longer than others leave these alone. */
  private void handOn(List<OutboxMessage> some, long until, LogStream stream)
      throws SQLException, InterruptedException {
    while (!some.isEmpty()
        && until - System.nanoTime() > 0
        && !messages.take(some, until, WAIT_FOR_ROOM)) {
      stream.tell();
    }
  }
}
