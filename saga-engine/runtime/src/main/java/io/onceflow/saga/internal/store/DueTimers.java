package io.onceflow.saga.internal.store;

import static java.util.Comparator.naturalOrder;

import io.onceflow.internal.queue.LowWaterMark;
import io.onceflow.internal.queue.LowWaterMark.Scanned;
import io.onceflow.sql.Column;
import io.onceflow.sql.Sql;
import io.onceflow.sql.Sql.Row;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import javax.sql.DataSource;

/**
 * Finds the sagas whose timers fell due. Each time that a saga is moved it leaves an entry in the
 * index of timers, which stays while another transaction keeps its snapshot: so each definition's
 * scans start at a mark. What this replica cannot move, such as a saga of a newer version, holds it
 * for a minute. An operator's timer of now lies above it, quarantine at infinity.
 */
final class DueTimers {

  private static final Instant START = Instant.EPOCH;

  private static final String LOCK =
      """
      SELECT id, next_action_at, statement_timestamp() AS now
      FROM   saga_instance
      WHERE  definition = ?
      AND    version = ANY (?)
      AND    next_action_at >= ?
      AND    next_action_at <= statement_timestamp()
      ORDER  BY next_action_at
      LIMIT  ?
      FOR UPDATE SKIP LOCKED
      """;

  private static final String FIRST =
      """
      SELECT coalesce((SELECT   next_action_at
                       FROM     saga_instance
                       WHERE    definition = ?
                       AND      next_action_at >= ?
                       AND      next_action_at < present.at
                       ORDER BY next_action_at
                       LIMIT    1), present.at) AS first
      FROM   (SELECT %s AS at
              OFFSET 0) AS present          -- once, not with each comparison
      """
          .formatted(LowWaterMark.PRESENT);

  private final Map<String, LowWaterMark<Instant>> marks = new ConcurrentHashMap<>();
  private final DataSource database;
  private final LongSupplier nanoTime;

  DueTimers(DataSource database) {
    this(database, System::nanoTime);
  }

  /** With another clock, for tests. */
  DueTimers(DataSource database, LongSupplier nanoTime) {
    this.database = database;
    this.nanoTime = nanoTime;
  }

  private static Instant recent() {
    return Instant.now().minus(LowWaterMark.HELD);
  }

  private record Due(UUID id, Instant since, Instant now) {

    static Due of(Row row) throws SQLException {
      return new Due(row.uuid("id"), row.time("next_action_at"), row.time("now"));
    }
  }

  /** Locks those that no other transaction has locked. */
  DueSagas lock(Connection tx, String definition, Set<Integer> versions, int limit)
      throws SQLException {
    return marks
        .computeIfAbsent(
            definition, name -> new LowWaterMark<>(database, START, DueTimers::recent, nanoTime))
        .scan(
            tx,
            (it, mark) -> first(it, definition, mark),
            begin -> lock(tx, definition, versions, limit, begin));
  }

  /** The mark stays at the first of these: their transaction may fail. */
  private static Scanned<Instant, DueSagas> lock(
      Connection tx, String definition, Set<Integer> versions, int limit, Instant begin)
      throws SQLException {
    List<Due> due =
        Sql.query(
            tx,
            LOCK,
            Due::of,
            definition,
            Column.integers(versions, version -> version),
            begin,
            limit);
    Instant first = due.stream().map(Due::since).min(naturalOrder()).orElse(null);
    return new Scanned<>(
        new DueSagas(
            due.isEmpty() ? START : due.getFirst().now(),
            due.stream().map(Due::id).collect(Collectors.toSet())),
        LowWaterMark.next(begin, first, recent(), naturalOrder()));
  }

  private static Instant first(Connection tx, String definition, Instant mark) throws SQLException {
    return Sql.query(tx, FIRST, row -> row.time("first"), definition, mark).getFirst();
  }
}
