package io.onceflow.saga.internal.store;

import static io.onceflow.sql.Column.uuids;

import io.onceflow.saga.Limit;
import io.onceflow.saga.internal.engine.HistoryEvent;
import io.onceflow.sql.Column;
import io.onceflow.sql.Sql;
import io.onceflow.sql.Sql.Row;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * Who runs and who waits where a definition limits how many of its sagas run at once. The
 * transactions that change the places of one key do so one after the other; a saga of a definition
 * without a limit comes by none of these statements.
 */
final class SagaPlaces implements LimitStore {

  /** Until the transaction ends. */
  private static final String LOCK =
      "SELECT pg_advisory_xact_lock(hashtextextended('place:' || ? || ' ' || ?, 0))";

  private static final String TAKE =
      """
      INSERT INTO saga_place (saga_id, definition, key, priority, turn_key, queued_since)
      SELECT place.saga_id, place.definition, place.key, place.priority, place.turn_key,
             CASE WHEN (SELECT count(*)
                        FROM   saga_place other
                        WHERE  other.definition = place.definition
                        AND    other.key = place.key) >= ?
                  THEN clock_timestamp() END
      FROM   (VALUES (?::uuid, ?::text, ?::text, ?::int, ?::text))
               AS place (saga_id, definition, key, priority, turn_key)
      RETURNING queued_since IS NOT NULL AS is_queued
      """;

  /**
   * One that waits for a place in all has one of its key. That is given on by the transaction that
   * comes to it in the queue: this one holds the saga's row, for which the other may wait.
   */
  private static final String RELEASE =
      """
      WITH ended_in_queue AS (
        UPDATE saga_place place
        SET    queued_since = '-infinity'
        WHERE  saga_id = ANY (?)
        AND    key = ''
        AND    queued_since IS NOT NULL
        AND    EXISTS (SELECT
                       FROM   saga_place own
                       WHERE  own.saga_id = place.saga_id
                       AND    own.key <> '')
        RETURNING saga_id
      )
      DELETE FROM saga_place
      WHERE  saga_id = ANY (?)
      AND    saga_id NOT IN (SELECT saga_id FROM ended_in_queue)
      RETURNING definition, key, queued_since IS NULL AS was_running
      """;

  private static final String RELEASE_ENDED_IN_QUEUE =
      """
      WITH ended_in_queue AS (
        DELETE FROM saga_place
        WHERE  definition = ?
        AND    key = ''
        AND    queued_since = '-infinity'
        RETURNING saga_id
      )
      DELETE FROM saga_place place
      USING  ended_in_queue
      WHERE  place.saga_id = ended_in_queue.saga_id
      AND    place.key <> ''
      RETURNING place.definition, place.key
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
        SELECT saga.id, place.queued_since
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
        AND    place.key = ?
        RETURNING place.saga_id, place.priority, place.turn_key, next.queued_since AS since
      )
      SELECT saga_id, priority, turn_key
      FROM   promoted
      ORDER  BY priority DESC, since, saga_id
      """;

  private static final String WAITING =
      """
      SELECT saga_id
      FROM   saga_place
      WHERE  saga_id = ANY (?)
      AND    queued_since IS NOT NULL
      """;

  /** A saga on hold starts when it is resumed, with its timer. */
  private static final String SET_TIMERS =
      """
      WITH turn AS MATERIALIZED (
        SELECT saga_id, comes_at
        FROM   unnest(?::uuid[], ?::timestamptz[]) AS comes (saga_id, comes_at)
      ),
      noted AS (
        UPDATE saga_place place
        SET    turn_at = turn.comes_at
        FROM   turn
        WHERE  place.saga_id = turn.saga_id
        AND    turn.comes_at > now()
      )
      UPDATE saga_instance saga
      SET    next_action_at = CASE
                                WHEN hold IS NULL
                                THEN least(next_action_at, greatest(turn.comes_at, now()))
                                ELSE next_action_at
                              END,
             hold           = CASE
                                WHEN hold IS NOT NULL
                                THEN (hold::jsonb || jsonb_build_object('timer', turn.comes_at))::json
                              END
      FROM   turn
      WHERE  saga.id = turn.saga_id
      """;

  private static final String NOTE =
      """
      WITH noted AS (
        UPDATE saga_instance
        SET    revision = revision + 1
        WHERE  id = ANY (?)
        RETURNING id, revision
      )
      INSERT INTO saga_journal (saga_id, revision, at, entries)
      SELECT id, revision, now(), ?::json
      FROM   noted
      """;

  @Override
  public boolean take(Connection tx, Place place, Entrant entrant, int most) throws SQLException {
    return Sql.query(
            tx,
            TAKE,
            row -> row.truth("is_queued"),
            most,
            entrant.saga(),
            place.definition(),
            place.key(),
            entrant.priority(),
            entrant.turnKey())
        .getFirst();
  }

  @Override
  public void lock(Connection tx, Iterable<Place> places) throws SQLException {
    for (Place place : places) {
      Sql.query(tx, LOCK, row -> place, place.definition(), place.key());
    }
  }

  /** One that ends while it waits frees no place, and does not ask for the lock. */
  @Override
  public List<Place> release(Connection tx, Collection<UUID> ended) throws SQLException {
    return Sql.query(
            tx,
            RELEASE,
            row -> row.truth("was_running") ? Optional.of(place(row)) : Optional.<Place>empty(),
            uuids(ended),
            uuids(ended))
        .stream()
        .flatMap(Optional::stream)
        .toList();
  }

  @Override
  public List<Place> releaseEndedInQueue(Connection tx, String definition) throws SQLException {
    return Sql.query(tx, RELEASE_ENDED_IN_QUEUE, SagaPlaces::place, definition);
  }

  private static Place place(Row row) throws SQLException {
    return new Place(row.text("definition"), row.text("key"));
  }

  @Override
  public List<Entrant> promote(Connection tx, Place place, int most) throws SQLException {
    return Sql.query(
        tx,
        PROMOTE,
        SagaPlaces::entrant,
        most,
        place.definition(),
        place.key(),
        place.definition(),
        place.key(),
        place.key());
  }

  private static Entrant entrant(Row row) throws SQLException {
    return new Entrant(row.uuid("saga_id"), row.integer("priority"), row.text("turn_key"));
  }

  @Override
  public Set<UUID> waiting(Connection tx, Collection<UUID> queued) throws SQLException {
    return queued.isEmpty()
        ? Set.of()
        : new HashSet<>(Sql.query(tx, WAITING, row -> row.uuid("saga_id"), uuids(queued)));
  }

  @Override
  public Map<UUID, Instant> takeTurns(
      Connection tx, String definition, Limit.OfStarts<?> limit, List<Entrant> entrants)
      throws SQLException {
    return SagaTurns.take(tx, definition, limit, entrants);
  }

  @Override
  public void setTimers(Connection tx, Map<UUID, Instant> turns) throws SQLException {
    List<Map.Entry<UUID, Instant>> all = List.copyOf(turns.entrySet());
    if (!all.isEmpty()) {
      Sql.update(
          tx, SET_TIMERS, uuids(all, Map.Entry::getKey), Column.times(all, Map.Entry::getValue));
    }
  }

  @Override
  public void note(Connection tx, List<UUID> waiting, String limit) throws SQLException {
    String entries = JournalRow.entries(HistoryEvent.SAGA_QUEUED, limit);
    Sql.update(tx, NOTE, uuids(waiting), entries);
  }
}
