package io.onceflow.outbox.internal.relay;

import static io.onceflow.outbox.internal.AggregateOrdering.BY_AGE;

import io.onceflow.internal.queue.LowWaterMark;
import io.onceflow.internal.queue.LowWaterMark.Scanned;
import io.onceflow.internal.retention.TimeOrderedId;
import io.onceflow.outbox.OutboxMessage;
import io.onceflow.outbox.internal.OutboxStore;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.function.LongSupplier;
import javax.sql.DataSource;

/**
 * Claims a relay's batches: each full one is followed by what lies behind it, all others start at
 * the mark. A message that is claimed and then not published lies above the mark, however old.
 */
final class ClaimScan {

  private final OutboxStore table;
  private final LowWaterMark<UUID> mark;
  private final int batchSize;
  private final ReadPosition position = new ReadPosition();

  /**
   * @param mark which the batches of a process share
   */
  ClaimScan(OutboxStore table, LowWaterMark<UUID> mark, int batchSize) {
    this.table = table;
    this.mark = mark;
    this.batchSize = batchSize;
  }

  static LowWaterMark<UUID> mark(DataSource database) {
    return mark(database, System::nanoTime);
  }

  /** With another clock, for tests. */
  static LowWaterMark<UUID> mark(DataSource database, LongSupplier nanoTime) {
    return new LowWaterMark<>(database, OutboxStore.START, ClaimScan::recent, nanoTime);
  }

  private static UUID recent() {
    return TimeOrderedId.lowest(Instant.now().minus(LowWaterMark.HELD));
  }

  List<OutboxMessage> next(Connection connection) throws SQLException {
    UUID next = position.next();
    return position.wasBehindOthers()
        ? table.claim(connection, batchSize, next)
        : mark.scan(connection, table::claimsBegin, begin -> claim(connection, begin));
  }

  /** After this message was claimed and not published: another thread's scan may have passed it. */
  void putBack(UUID first) {
    mark.putBack(first, BY_AGE);
  }

  /** After a full batch that ended with this message. */
  void goOnBehind(UUID last) {
    position.goOnBehind(last);
  }

  private Scanned<UUID, List<OutboxMessage>> claim(Connection connection, UUID begin)
      throws SQLException {
    List<OutboxMessage> claimed = table.claim(connection, batchSize, begin);
    UUID first = claimed.isEmpty() ? null : claimed.getFirst().id();
    return new Scanned<>(claimed, LowWaterMark.next(begin, first, recent(), BY_AGE));
  }

  /** Whether the batch at hand started elsewhere than at the mark, so that there may be more. */
  boolean wasBehindOthers() {
    return position.wasBehindOthers();
  }
}
