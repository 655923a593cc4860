package io.onceflow.outbox.internal.cdc;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;

/**
 * How far the log has been dealt with: up to the first transaction one of whose rows is neither
 * deleted nor left to the relays that read the table. PostgreSQL sends again what lies behind that,
 * to whoever reads next.
 */
final class UnsettledRows {

  private final Map<UUID, Unsettled> rows = new LinkedHashMap<>();
  private long read;

  /**
   * @param before position before its transaction
   * @param until {@link System#nanoTime()} from which on it is left to other relays
   */
  private record Unsettled(long before, long until) {}

  /**
   * @param from position from which the log is read
   */
  UnsettledRows(long from) {
    read = from;
  }

  /** A row was inserted by the transaction that is read. */
  void add(UUID id, long until) {
    rows.put(id, new Unsettled(read, until));
  }

  /** Rows were deleted, by whomever. */
  void deleted(Collection<UUID> ids) {
    ids.forEach(rows::remove);
  }

  /** The log has been read up to here, and no transaction is half read. */
  void readTo(long position) {
    read = Math.max(read, position);
  }

  /** Up to here PostgreSQL need not keep its log. */
  long settled(long now) {
    var first = rows.values().iterator();
    while (first.hasNext()) {
      Unsettled row = first.next();
      if (row.until() - now > 0) {
        return row.before();
      }
      first.remove();
    }
    return read;
  }
}
