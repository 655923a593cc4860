package io.onceflow.saga.internal.store;

import static io.onceflow.sql.Column.uuids;

import io.onceflow.saga.Limit;
import io.onceflow.sql.Column;
import io.onceflow.sql.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;

/**
 * Who runs and who waits where a definition limits how many of its sagas run at once. The
 * transactions that change the places of one key do so one after the other; a saga of a definition
 * without a limit comes by none of these statements.
 */
public final class SagaPlaces {

  /** Until the transaction ends. */
  private static final String LOCK =
      "SELECT pg_advisory_xact_lock(hashtextextended('place:' || ? || ' ' || ?, 0))";

  private static final String TAKE =
      """
      INSERT INTO saga_place (saga_id, definition, key, priority, queued_since)
      SELECT place.saga_id, place.definition, place.key, place.priority,
             CASE WHEN (SELECT count(*)
                        FROM   saga_place other
                        WHERE  other.definition = place.definition
                        AND    other.key = place.key) >= ?
                  THEN clock_timestamp() END
      FROM   (VALUES (?::uuid, ?::text, ?::text, ?::int)) AS place (saga_id, definition, key, priority)
      RETURNING queued_since IS NOT NULL AS is_queued
      """;

  private static final String RELEASE =
      """
      DELETE FROM saga_place
      WHERE  saga_id = ANY (?)
      RETURNING definition, key, queued_since IS NULL AS was_running
      """;

  /**
   * The next in the queue, as many as there are places for. A saga's row is locked before its
   * place, as by everybody else; one that is cancelled meanwhile is left out for the one after it.
   */
  private static final String PROMOTE =
      """
      WITH free AS (
        SELECT greatest(0, ? - count(*)) AS places
        FROM   saga_place
        WHERE  definition = ?
        AND    key = ?
        AND    queued_since IS NULL
      ),
      next AS (
        SELECT saga.id
        FROM   saga_place place
        JOIN   saga_instance saga ON saga.id = place.saga_id
        WHERE  place.definition = ?
        AND    place.key = ?
        AND    place.queued_since IS NOT NULL
        AND    saga.status = 'QUEUED'
        ORDER  BY place.priority DESC, place.queued_since, place.saga_id
        LIMIT  (SELECT places FROM free)
        FOR UPDATE OF saga
      ),
      promoted AS (
        UPDATE saga_place place
        SET    queued_since = NULL
        FROM   next
        WHERE  place.saga_id = next.id
        RETURNING place.saga_id
      )
      UPDATE saga_instance saga
      SET    next_action_at = now()
      FROM   promoted
      WHERE  saga.id = promoted.saga_id
      AND    saga.hold IS NULL                   -- it starts when it is resumed
      """;

  private static final String WAITING =
      """
      SELECT saga_id
      FROM   saga_place
      WHERE  saga_id = ANY (?)
      AND    queued_since IS NOT NULL
      """;

  private SagaPlaces() {}

  private record Place(String definition, String key) implements Comparable<Place> {

    private static final Comparator<Place> ORDER =
        Comparator.comparing(Place::definition).thenComparing(Place::key);

    @Override
    public int compareTo(Place other) {
      return ORDER.compare(this, other);
    }
  }

  private record Wanted(UUID saga, Place place, int priority) {}

  /** Takes places for sagas that are about to be started; answers those that have to wait. */
  public static <D> Set<UUID> take(
      Connection tx, String definition, Limit.OfRunning<D> limit, List<LimitedStart<D>> starts)
      throws SQLException {
    List<Wanted> wanted = new ArrayList<>();
    for (LimitedStart<D> start : starts) {
      Place place = new Place(definition, start.key(limit));
      wanted.add(new Wanted(start.saga(), place, limit.priority().applyAsInt(start.subject())));
    }
    lock(tx, wanted.stream().map(Wanted::place).toList());
    Set<UUID> queued = new HashSet<>();
    for (Wanted each : wanted) {
      if (take(tx, each, limit.most())) {
        queued.add(each.saga());
      }
    }
    return queued;
  }

  private static boolean take(Connection tx, Wanted wanted, int most) throws SQLException {
    return Sql.query(
            tx,
            TAKE,
            row -> row.truth("is_queued"),
            most,
            wanted.saga(),
            wanted.place().definition(),
            wanted.place().key(),
            wanted.priority())
        .getFirst();
  }

  /** In one order, so that no two transactions wait for each other. */
  private static Set<Place> lock(Connection tx, Collection<Place> places) throws SQLException {
    Set<Place> ordered = new TreeSet<>(places);
    for (Place place : ordered) {
      Sql.query(tx, LOCK, row -> place, place.definition(), place.key());
    }
    return ordered;
  }

  /**
   * Gives the places of sagas that have ended to the next ones, whose timers fall due.
   *
   * @param most how many sagas of a key may run now
   */
  public static void release(Connection tx, int most, Collection<? extends LockedSaga<?>> sagas)
      throws SQLException {
    List<UUID> ended =
        sagas.stream().filter(LockedSaga::hasEnded).map(saga -> saga.state().id()).toList();
    if (ended.isEmpty()) {
      return;
    }
    for (Place place : lock(tx, free(tx, ended))) {
      Sql.update(
          tx, PROMOTE, most, place.definition(), place.key(), place.definition(), place.key());
    }
  }

  /**
   * One that ends while it waits frees no place, and does not ask for the lock: it holds its own
   * row, for which the transaction that has the lock may wait.
   */
  private static List<Place> free(Connection tx, List<UUID> ended) throws SQLException {
    return Sql.query(
            tx,
            RELEASE,
            row ->
                row.truth("was_running")
                    ? Optional.of(new Place(row.text("definition"), row.text("key")))
                    : Optional.<Place>empty(),
            uuids(ended))
        .stream()
        .flatMap(Optional::stream)
        .toList();
  }

  /** Those of queued sagas that have no place yet. */
  public static Set<UUID> waiting(Connection tx, Collection<? extends LockedSaga<?>> queued)
      throws SQLException {
    return queued.isEmpty()
        ? Set.of()
        : new HashSet<>(
            Sql.query(
                tx,
                WAITING,
                row -> row.uuid("saga_id"),
                Column.uuids(queued, saga -> saga.state().id())));
  }
}
