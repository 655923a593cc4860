package io.onceflow.saga.internal.store;

import static io.onceflow.sql.Column.uuids;

import io.onceflow.saga.Limit;
import io.onceflow.saga.SagaLimits;
import io.onceflow.saga.internal.engine.HistoryEvent;
import io.onceflow.saga.internal.store.SagaPlaces.Entrant;
import io.onceflow.saga.internal.store.SagaPlaces.Place;
import io.onceflow.sql.Column;
import io.onceflow.sql.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;

/**
 * Lets the sagas of a definition start by its limits. Each takes a place of its key, then one in
 * all, then its turn, and waits before the first of them that is not there: {@link SagaPlaces},
 * {@link SagaTurns}. One of these serves one transaction.
 */
public final class SagaQueue {

  /** Earlier than any time of the database. */
  private static final Instant AT_ONCE = Instant.EPOCH;

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

  private final Connection tx;
  private final String definition;
  private final SagaLimits<?> limits;
  private final Map<String, List<UUID>> waiting = new LinkedHashMap<>();
  private final Map<UUID, Instant> turns = new HashMap<>();

  private SagaQueue(Connection tx, String definition, SagaLimits<?> limits) {
    this.tx = tx;
    this.definition = definition;
    this.limits = limits;
  }

  /**
   * Sagas that cannot be started yet.
   *
   * @param reasons which limit they wait for
   * @param turns when they start; empty where that depends on the end of others
   */
  public record Queued(Map<UUID, String> reasons, Map<UUID, Instant> turns) {

    public static final Queued NONE = new Queued(Map.of(), Map.of());
  }

  /** Takes places and turns for sagas that are about to be started. */
  public static <D> Queued enter(
      Connection tx, String definition, SagaLimits<D> limits, List<LimitedStart<D>> starts)
      throws SQLException {
    return new SagaQueue(tx, definition, limits).enter(limits, starts);
  }

  private <D> Queued enter(SagaLimits<D> its, List<LimitedStart<D>> starts) throws SQLException {
    Map<Entrant, Optional<Place>> all = new LinkedHashMap<>();
    for (LimitedStart<D> start : starts) {
      all.put(
          start.entrant(its),
          its.runningOfKey().map(limit -> new Place(definition, start.key(limit))));
    }
    lock(all.values().stream().flatMap(Optional::stream).toList());
    List<Entrant> withKey = new ArrayList<>();
    for (Map.Entry<Entrant, Optional<Place>> each : all.entrySet()) {
      if (takes(each.getKey(), each.getValue(), its.runningOfKey())) {
        withKey.add(each.getKey());
      }
    }
    takeTurns(takeInAll(withKey));
    Map<UUID, String> reasons = new HashMap<>();
    waiting.forEach((reason, sagas) -> sagas.forEach(saga -> reasons.put(saga, reason)));
    return new Queued(reasons, turns);
  }

  /** That in all is the first of the order, and is asked for by all that need it. */
  private Set<Place> lock(Collection<Place> places) throws SQLException {
    Set<Place> ordered = new TreeSet<>(places);
    if (limits.runningInAll().isPresent()) {
      ordered.add(Place.inAll(definition));
    }
    SagaPlaces.lock(tx, ordered);
    return ordered;
  }

  private boolean takes(
      Entrant entrant, Optional<Place> place, Optional<? extends Limit.OfRunning<?>> limit)
      throws SQLException {
    if (place.isEmpty() || limit.isEmpty()) {
      return true;
    }
    boolean waits = SagaPlaces.take(tx, place.get(), entrant, limit.get().most());
    if (waits) {
      waits(entrant.saga(), limit.get());
    }
    return !waits;
  }

  private void waits(UUID saga, Limit<?> limit) {
    waiting.computeIfAbsent(limit.reason(), reason -> new ArrayList<>()).add(saga);
  }

  private List<Entrant> takeInAll(List<Entrant> withKey) throws SQLException {
    List<Entrant> admitted = new ArrayList<>();
    for (Entrant each : withKey) {
      if (takes(each, Optional.of(Place.inAll(definition)), limits.runningInAll())) {
        admitted.add(each);
      }
    }
    return admitted;
  }

  private void takeTurns(List<Entrant> admitted) throws SQLException {
    if (limits.starts().isPresent()) {
      Limit.OfStarts<?> starts = limits.starts().get();
      turns.putAll(SagaTurns.take(tx, definition, starts, admitted));
      turns.keySet().forEach(saga -> waits(saga, starts));
    }
  }

  /**
   * Gives the places of sagas that have ended to the next ones, whose timers fall due.
   *
   * @param limits of new sagas; others may have started under other ones
   */
  public static void release(
      Connection tx,
      String definition,
      SagaLimits<?> limits,
      Collection<? extends LockedSaga<?>> sagas)
      throws SQLException {
    List<UUID> ended =
        sagas.stream().filter(LockedSaga::hasEnded).map(saga -> saga.state().id()).toList();
    List<Place> freed = ended.isEmpty() ? List.of() : SagaPlaces.release(tx, ended);
    if (!freed.isEmpty()) {
      new SagaQueue(tx, definition, limits).admit(freed);
    }
  }

  /** Those that wait for a place in all come before those that have just got one of their key. */
  private void admit(List<Place> freed) throws SQLException {
    Set<Place> places = lock(freed);
    List<Entrant> admitted = new ArrayList<>();
    Place inAll = Place.inAll(definition);
    if (places.remove(inAll)) {
      admitted.addAll(SagaPlaces.promote(tx, inAll, most(limits.runningInAll())));
      Set<Place> ofKeys = new TreeSet<>(SagaPlaces.releaseEndedInQueue(tx, definition));
      SagaPlaces.lock(tx, ofKeys);
      places.addAll(ofKeys);
    }
    for (Place ofKey : places) {
      admitted.addAll(takeInAll(SagaPlaces.promote(tx, ofKey, most(limits.runningOfKey()))));
    }
    takeTurns(admitted);
    start(admitted);
    note();
  }

  /** Where the limit is gone, sagas that were queued for it may still be waiting. */
  private static int most(Optional<? extends Limit.OfRunning<?>> limit) {
    return limit.map(Limit.OfRunning::most).orElse(Integer.MAX_VALUE);
  }

  private void start(List<Entrant> admitted) throws SQLException {
    Map<UUID, Instant> starts = new HashMap<>();
    admitted.forEach(
        each -> starts.put(each.saga(), turns.getOrDefault(each.saga(), AT_ONCE)));
    setTimers(tx, starts);
  }

  /** Has the timers of queued sagas fire when their turns come, or earlier. */
  public static void setTimers(Connection tx, Map<UUID, Instant> turns) throws SQLException {
    List<Map.Entry<UUID, Instant>> all = List.copyOf(turns.entrySet());
    if (!all.isEmpty()) {
      Sql.update(
          tx, SET_TIMERS, uuids(all, Map.Entry::getKey), Column.times(all, Map.Entry::getValue));
    }
  }

  /** What they wait for now, in their histories. */
  private void note() throws SQLException {
    for (Map.Entry<String, List<UUID>> each : waiting.entrySet()) {
      String entries = JournalRow.entries(HistoryEvent.SAGA_QUEUED, each.getKey());
      Sql.update(tx, NOTE, uuids(each.getValue()), entries);
    }
  }
}
