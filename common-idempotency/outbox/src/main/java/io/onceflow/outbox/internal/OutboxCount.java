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
import java.util.Objects;
import java.util.UUID;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Counts the messages in the outbox. A few that are older than a minute, as those that are refused
 * again and again, are remembered and skipped: they are looked up each by its id.
 */
final class OutboxCount {

  /** So many are remembered; of more that are old, each is counted each time. */
  private static final int FEW = 100;

  private static final String COUNT =
      """
      SELECT   count(counted.id) AS waiting,
               count(counted.id) FILTER (WHERE counted.id < minute_ago) AS old,
               string_agg(counted.id::text, ',')
                 FILTER (WHERE counted.id < minute_ago AND counted.place <= %1$s) AS old_ids,
               min(counted.created_at) AS oldest,
               now() AS now,
               minute_ago
      FROM     (SELECT %2$s AS minute_ago
                OFFSET 0) AS once
      LEFT     JOIN LATERAL (
        SELECT   id, created_at, row_number() OVER (ORDER BY id) AS place
        FROM     outbox_message
        WHERE    id > ?
        ORDER BY id
        LIMIT    ?) AS counted ON true
      GROUP BY minute_ago
      """
          .formatted(FEW, TimeOrderedId.lowest("now() - interval '1 minute'"));

  private static final String STILL_THERE =
      """
      SELECT count(*) AS waiting,
             string_agg(id::text, ',') AS old_ids,
             min(created_at) AS oldest
      FROM   outbox_message
      WHERE  id = ANY (string_to_array(?, ',')::uuid[])
      """;

  private final LowWaterMark<Passed> mark;

  OutboxCount(DataSource database) {
    this(database, System::nanoTime);
  }

  /** With another clock, for tests. */
  OutboxCount(DataSource database, LongSupplier nanoTime) {
    mark = new LowWaterMark<>(database, Passed.NONE, Passed::recent, nanoTime);
  }

  /**
   * Where to start, and which messages below are to be looked up.
   *
   * @param old their ids with commas between them
   */
  private record Passed(UUID id, @Nullable String old) {

    static final Passed NONE = new Passed(OutboxStore.START, null);

    static Passed recent() {
      return new Passed(TimeOrderedId.lowest(Instant.now().minus(LowWaterMark.HELD)), null);
    }

    Passed upTo(UUID next) {
      return new Passed(next, old);
    }
  }

  /** Those of the old ones that have not been published yet. */
  private record Old(long waiting, @Nullable String ids, @Nullable Instant oldest) {

    static final Old NONE = new Old(0, null, null);

    static Old of(Row row) throws SQLException {
      return new Old(row.bigint("waiting"), row.text("old_ids"), row.time("oldest"));
    }
  }

  private record Counted(
      long waiting,
      long old,
      @Nullable String oldIds,
      @Nullable Instant oldest,
      Instant now,
      UUID minuteAgo) {

    static Counted of(Row row) throws SQLException {
      return new Counted(
          row.bigint("waiting"),
          row.bigint("old"),
          row.text("old_ids"),
          row.time("oldest"),
          row.time("now"),
          row.uuid("minute_ago"));
    }

    /** Where later counts may start, unless too many are old. */
    Passed next(Passed begin, Old known) {
      if (known.waiting() + old > FEW) {
        return new Passed(begin.id(), known.ids());
      }
      String ids =
          Stream.of(known.ids(), oldIds).filter(Objects::nonNull).collect(Collectors.joining(","));
      return new Passed(minuteAgo, ids.isEmpty() ? null : ids);
    }
  }

  /** Reads as many rows as the bound, and no more, however many there are. */
  Look upTo(long bound, Connection tx) throws SQLException {
    return mark.scan(tx, OutboxCount::look, passed -> count(tx, passed, bound));
  }

  private static Passed look(Connection tx, Passed passed) throws SQLException {
    return passed.upTo(OldestMessage.from(tx, passed.id()));
  }

  private static Scanned<Passed, Look> count(Connection tx, Passed passed, long bound)
      throws SQLException {
    Old known = stillThere(tx, passed);
    // A fresh plan: the table is empty at one moment and long at the next.
    Counted counted = Sql.queryWithFreshPlan(tx, COUNT, Counted::of, passed.id(), bound).getFirst();
    Instant oldest = earlier(known.oldest(), counted.oldest());
    long waiting = Math.min(bound, known.waiting() + counted.waiting());
    Look look = new Look(waiting, oldest == null ? 0 : seconds(oldest, counted.now()));
    return new Scanned<>(look, counted.waiting() < bound ? counted.next(passed, known) : passed);
  }

  private static Old stillThere(Connection tx, Passed passed) throws SQLException {
    return passed.old() == null
        ? Old.NONE
        : Sql.queryWithFreshPlan(tx, STILL_THERE, Old::of, passed.old()).getFirst();
  }

  private static @Nullable Instant earlier(@Nullable Instant one, @Nullable Instant other) {
    return one == null || other != null && other.isBefore(one) ? other : one;
  }

  private static double seconds(Instant oldest, Instant now) {
    return Math.max(0, Duration.between(oldest, now).toMillis() / 1_000.0);
  }
}
