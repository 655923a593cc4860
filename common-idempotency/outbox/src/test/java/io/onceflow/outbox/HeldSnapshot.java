package io.onceflow.outbox;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.onceflow.launcher.testing.TouchedBlocks;
import io.onceflow.outbox.internal.OutboxTable;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import javax.sql.DataSource;

/** A transaction that keeps its snapshot, as that of a backup, and messages written meanwhile. */
public final class HeldSnapshot implements AutoCloseable {

  public static final Duration LONG_AGO = Duration.ofMinutes(30);
  public static final DataSource DATABASE = Shipping.DATABASE.source();

  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Duration LONGEST_PAUSE = Duration.ofMinutes(5);

  public final Shipping shipping = new Shipping();

  /** What is read of the outbox. */
  public final TouchedBlocks blocks = new TouchedBlocks(DATABASE, "outbox_message");

  private final OutboxTable table = new OutboxTable(new ObjectMapper());
  private final Connection snapshot;
  private long now;

  /**
   * Begins it on an empty table. A vacuum would leave entries of other tests in the index while any
   * transaction of the database, an analysis for one, has begun before they were deleted.
   */
  public HeldSnapshot() {
    Shipping.DATABASE.update("TRUNCATE outbox_message");
    try {
      snapshot = Shipping.DATABASE.holdSnapshot("outbox_message");
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() throws SQLException {
    snapshot.rollback();
    snapshot.close();
    Shipping.DATABASE.update("DELETE FROM outbox_message");
  }

  /** By this clock everything takes a second, so a look from the start is not repeated soon. */
  public long nanoTime() {
    return now += SECOND.toNanos();
  }

  /** Lets a look from the start be due. */
  public void letPauseEnd() {
    now += LONGEST_PAUSE.toNanos();
  }

  /** Inserts messages of the last half hour and deletes them, as those that were published. */
  public void published(int messages) throws SQLException {
    List<OutboxMessage> all =
        IntStream.range(0, messages)
            .mapToObj(i -> message(LONG_AGO.minusMillis(1_700_000L * i / messages)))
            .toList();
    insert(all.toArray(OutboxMessage[]::new));
    try (Connection tx = Shipping.DATABASE.connect()) {
      table.delete(tx, all.stream().map(OutboxMessage::id).toList());
    }
  }

  public void insert(OutboxMessage... messages) throws SQLException {
    try (Connection tx = Shipping.DATABASE.connect()) {
      table.insert(tx, List.of(messages), Duration.ZERO);
    }
  }

  public OutboxMessage message(Duration ago) {
    OutboxMessage now = shipping.command();
    UUID id =
        new UUID(
            Instant.now().minus(ago).toEpochMilli() << 16 | 0x7000,
            now.id().getLeastSignificantBits());
    return new OutboxMessage(
        id,
        now.aggregateType(),
        now.aggregateId(),
        now.type(),
        now.payload(),
        now.exchange(),
        now.routingKey(),
        now.correlationId(),
        now.replyTo(),
        now.headers());
  }
}
