package io.onceflow.saga.internal.store;

import io.onceflow.saga.Limit;
import io.onceflow.saga.SagaLimits;
import io.onceflow.saga.internal.store.LimitStore.Entrant;
import io.onceflow.saga.internal.store.LimitStore.Place;
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
 * all, then its turn, and waits before the first of them that is not there. One of these serves one
 * transaction.
 *
 * @param <D> the subject
 */
public final class SagaQueue<D> {

  /** Earlier than any time of the database. */
  private static final Instant AT_ONCE = Instant.EPOCH;

  private final Connection tx;
  private final LimitStore store;
  private final String definition;
  private final SagaLimits<D> limits;
  private final Map<String, List<UUID>> waiting = new LinkedHashMap<>();
  private final Map<UUID, Instant> turns = new HashMap<>();

  /**
   * @param limits of new sagas; others may have started under other ones
   */
  public SagaQueue(Connection tx, LimitStore store, String definition, SagaLimits<D> limits) {
    this.tx = tx;
    this.store = store;
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
  public Queued enter(List<LimitedStart<D>> starts) throws SQLException {
    Map<Entrant, Optional<Place>> all = new LinkedHashMap<>();
    for (LimitedStart<D> start : starts) {
      all.put(
          start.entrant(limits),
          limits.runningOfKey().map(limit -> new Place(definition, start.key(limit))));
    }
    lock(all.values().stream().flatMap(Optional::stream).toList());
    List<Entrant> withKey = new ArrayList<>();
    for (Map.Entry<Entrant, Optional<Place>> each : all.entrySet()) {
      if (takes(each.getKey(), each.getValue(), limits.runningOfKey())) {
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
    store.lock(tx, ordered);
    return ordered;
  }

  private boolean takes(Entrant entrant, Optional<Place> place, Optional<Limit.OfRunning<D>> limit)
      throws SQLException {
    if (place.isEmpty() || limit.isEmpty()) {
      return true;
    }
    boolean waits = store.take(tx, place.get(), entrant, limit.get().most());
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
      Limit.OfStarts<D> starts = limits.starts().get();
      turns.putAll(store.takeTurns(tx, definition, starts, admitted));
      turns.keySet().forEach(saga -> waits(saga, starts));
    }
  }

  /** Gives the places of sagas that have ended to the next ones, whose timers fall due. */
  public void release(Collection<? extends LockedSaga<?>> sagas) throws SQLException {
    List<UUID> ended =
        sagas.stream().filter(LockedSaga::hasEnded).map(saga -> saga.state().id()).toList();
    List<Place> freed = ended.isEmpty() ? List.of() : store.release(tx, ended);
    if (!freed.isEmpty()) {
      admit(freed);
    }
  }

  /** Those that wait for a place in all come before those that have just got one of their key. */
  private void admit(List<Place> freed) throws SQLException {
    Set<Place> places = lock(freed);
    List<Entrant> admitted = new ArrayList<>();
    Place inAll = Place.inAll(definition);
    if (places.remove(inAll)) {
      admitted.addAll(store.promote(tx, inAll, most(limits.runningInAll())));
      Set<Place> ofKeys = new TreeSet<>(store.releaseEndedInQueue(tx, definition));
      store.lock(tx, ofKeys);
      places.addAll(ofKeys);
    }
    for (Place ofKey : places) {
      admitted.addAll(takeInAll(store.promote(tx, ofKey, most(limits.runningOfKey()))));
    }
    takeTurns(admitted);
    start(admitted);
    note();
  }

  /** Where the limit is gone, sagas that were queued for it may still be waiting. */
  private int most(Optional<Limit.OfRunning<D>> limit) {
    return limit.map(Limit.OfRunning::most).orElse(Integer.MAX_VALUE);
  }

  private void start(List<Entrant> admitted) throws SQLException {
    Map<UUID, Instant> starts = new HashMap<>();
    admitted.forEach(each -> starts.put(each.saga(), turns.getOrDefault(each.saga(), AT_ONCE)));
    store.setTimers(tx, starts);
  }

  /** What they wait for now, in their histories. */
  private void note() throws SQLException {
    for (Map.Entry<String, List<UUID>> each : waiting.entrySet()) {
      store.note(tx, each.getValue(), each.getKey());
    }
  }
}
