package io.onceflow.outbox.internal;

import io.onceflow.internal.queue.LowWaterMark;
import io.onceflow.internal.queue.LowWaterMark.Scanned;
import io.onceflow.internal.retention.TimeOrderedId;
import io.onceflow.outbox.internal.OutboxGauges.Look;
import io.onceflow.sql.Sql;
import io.onceflow.sql.Sql.Row;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import java.util.function.LongSupplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Counts the messages in the outbox. A few that are older than a minute, as those that are refused
 * again and again, are counted once and passed by until the next scan from the start.
 */
final class OutboxCount {

  /** So wrong may the number be; of more that are old, each is counted each time. */
  private static final int FEW = 100;

  private static final String COUNT =
      """
      SELECT   count(counted.id) AS waiting,
               count(counted.id) FILTER (WHERE counted.id < minute_ago) AS old,
               min(counted.created_at) AS oldest,
               now() AS now,
               minute_ago
      FROM     (SELECT %s AS minute_ago
                OFFSET 0) AS once
      LEFT     JOIN LATERAL (
        SELECT   id, created_at
        FROM     outbox_message
        WHERE    id > ?
        ORDER BY id
        LIMIT    ?) AS counted ON true
      GROUP BY minute_ago
      """
          .formatted(TimeOrderedId.lowest("now() - interval '1 minute'"));

  private final LowWaterMark<Passed> mark;

  OutboxCount(DataSource database) {
    this(database, System::nanoTime);
  }

  /** With another clock, for tests. */
  OutboxCount(DataSource database, LongSupplier nanoTime) {
    mark = new LowWaterMark<>(database, Passed.NONE, Passed::recent, nanoTime);
  }

  /**
   * Where to begin, and what has been counted below.
   *
   * @param oldest of these
   */
  private record Passed(UUID id, long waiting, @Nullable Instant oldest) {

    static final Passed NONE = new Passed(OutboxStore.START, 0, null);

    static Passed recent() {
      return new Passed(TimeOrderedId.lowest(Instant.now().minus(LowWaterMark.HELD)), 0, null);
    }

    Passed upTo(UUID next) {
      return new Passed(next, waiting, oldest);
    }

    Passed by(Counted counted) {
      long old = waiting + counted.old();
      Instant its = counted.old() == 0 ? oldest : earlier(oldest, counted.oldest());
      return old > FEW ? this : new Passed(counted.minuteAgo(), old, its);
    }
  }

  private record Counted(
      long waiting, long old, @Nullable Instant oldest, Instant now, UUID minuteAgo) {

    static Counted of(Row row) throws SQLException {
      return new Counted(
          row.bigint("waiting"),
          row.bigint("old"),
          row.time("oldest"),
          row.time("now"),
          row.uuid("minute_ago"));
    }
  }

  /** Reads as many rows as the bound, and no more, however many there are. */
  Look upTo(long bound, Connection tx) throws SQLException {
    return mark.scan(tx, OutboxCount::look, passed -> count(tx, passed, bound));
  }

  private static Passed look(Connection tx, Passed passed) throws SQLException {
    return passed.upTo(OldestMessage.from(tx, passed.id()));
  }

  /** With a fresh plan: the table is empty at one moment and long at the next. */
  private static Scanned<Passed, Look> count(Connection tx, Passed passed, long bound)
      throws SQLException {
    Counted counted = Sql.queryWithFreshPlan(tx, COUNT, Counted::of, passed.id(), bound).getFirst();
    Instant oldest = earlier(passed.oldest(), counted.oldest());
    long waiting = Math.min(bound, passed.waiting() + counted.waiting());
    Look look = new Look(waiting, oldest == null ? 0 : seconds(oldest, counted.now()));
    return new Scanned<>(look, counted.waiting() < bound ? passed.by(counted) : passed);
  }

  private static @Nullable Instant earlier(@Nullable Instant one, @Nullable Instant other) {
    return one == null || other != null && other.isBefore(one) ? other : one;
  }

  private static double seconds(Instant oldest, Instant now) {
    return Math.max(0, Duration.between(oldest, now).toMillis() / 1_000.0);
  }
}
