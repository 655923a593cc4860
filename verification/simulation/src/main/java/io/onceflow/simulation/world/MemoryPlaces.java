package io.onceflow.simulation.world;

import io.onceflow.saga.Limit;
import io.onceflow.saga.Saga.SagaStatus;
import io.onceflow.saga.internal.engine.HistoryEntry;
import io.onceflow.saga.internal.engine.HistoryEvent;
import io.onceflow.saga.internal.engine.Reasons;
import io.onceflow.saga.internal.engine.SagaState;
import io.onceflow.saga.internal.store.LimitStore;
import io.onceflow.simulation.database.Database;
import io.onceflow.simulation.database.SimulatedTransaction;
import io.onceflow.simulation.database.Table;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Places and turns of limits in memory; behaves like the SQL of production. */
class MemoryPlaces implements LimitStore {

  /** The number of a saga that has its place. */
  private static final long RUNS = 0;

  /**
   * That of a saga that has ended in the queue, and whose place of its key is yet to be given on.
   */
  private static final long ENDED_IN_QUEUE = -1;

  private final Database database;
  private final Table<UUID, MemorySagas.Row> sagas;
  private final Table<Place, Place> locks = new Table<>();
  private final Table<Key, Held> table = new Table<>();
  private final Table<String, Instant> rates = new Table<>();
  private long numbers;

  private record Key(UUID saga, String key) {}

  /**
   * A row.
   *
   * @param number in the queue
   */
  private record Held(Place place, Entrant entrant, long number) {

    Key key() {
      return new Key(entrant.saga(), place.key());
    }

    Held numbered(long as) {
      return new Held(place, entrant, as);
    }

    boolean isInAll() {
      return place.key().isEmpty();
    }
  }

  MemoryPlaces(Database database, Table<UUID, MemorySagas.Row> sagas) {
    this.database = database;
    this.sagas = sagas;
  }

  @Override
  public void lock(Connection connection, Iterable<Place> places) throws SQLException {
    SimulatedTransaction tx = SimulatedTransaction.of(connection);
    for (Place place : places) {
      tx.statement(() -> "lock a place");
      locks.lock(tx, place);
    }
  }

  @Override
  public boolean take(Connection connection, Place place, Entrant entrant, int most)
      throws SQLException {
    SimulatedTransaction tx = SimulatedTransaction.of(connection);
    tx.statement(() -> "take a place");
    boolean waits = of(tx, place).size() >= most;
    put(tx, new Held(place, entrant, waits ? ++numbers : RUNS));
    return waits;
  }

  private void put(SimulatedTransaction tx, Held row) throws SQLException {
    table.put(tx, row.key(), row);
  }

  private List<Held> of(SimulatedTransaction tx, Place place) {
    return table.all(tx).stream().filter(row -> row.place().equals(place)).toList();
  }

  private List<Held> of(SimulatedTransaction tx, Collection<UUID> some) {
    return table.all(tx).stream().filter(row -> some.contains(row.entrant().saga())).toList();
  }

  @Override
  public List<Place> release(Connection connection, Collection<UUID> ended) throws SQLException {
    SimulatedTransaction tx = SimulatedTransaction.of(connection);
    tx.statement(() -> "release places");
    List<Place> freed = new ArrayList<>();
    for (UUID saga : ended) {
      freed.addAll(release(tx, of(tx, Set.of(saga))));
    }
    return freed;
  }

  private List<Place> release(SimulatedTransaction tx, List<Held> rows) throws SQLException {
    boolean hasPlaceOfKey = rows.stream().anyMatch(row -> !row.isInAll());
    for (Held row : rows) {
      if (row.isInAll() && row.number() != RUNS && hasPlaceOfKey) {
        put(tx, row.numbered(ENDED_IN_QUEUE));
        return List.of();
      }
    }
    for (Held row : rows) {
      table.remove(tx, row.key());
    }
    return rows.stream().filter(row -> row.number() == RUNS).map(Held::place).toList();
  }

  @Override
  public List<Place> releaseEndedInQueue(Connection connection, String definition)
      throws SQLException {
    SimulatedTransaction tx = SimulatedTransaction.of(connection);
    tx.statement(() -> "release places of those that have ended in the queue");
    Set<UUID> ended =
        table.all(tx).stream()
            .filter(row -> row.number() == ENDED_IN_QUEUE)
            .map(row -> row.entrant().saga())
            .collect(Collectors.toSet());
    List<Held> rows = of(tx, ended);
    for (Held row : rows) {
      table.remove(tx, row.key());
    }
    return rows.stream().filter(row -> !row.isInAll()).map(Held::place).toList();
  }

  @Override
  public List<Entrant> promote(Connection connection, Place place, int most) throws SQLException {
    SimulatedTransaction tx = SimulatedTransaction.of(connection);
    tx.statement(() -> "give places on");
    long free = most - of(tx, place).stream().filter(row -> row.number() == RUNS).count();
    List<Entrant> promoted = new ArrayList<>();
    for (Held next : queue(tx, place)) {
      if (promoted.size() < free && isQueued(tx, next.entrant().saga())) {
        put(tx, next.numbered(RUNS));
        promoted.add(next.entrant());
      }
    }
    return promoted;
  }

  private List<Held> queue(SimulatedTransaction tx, Place place) {
    return of(tx, place).stream()
        .filter(row -> row.number() > RUNS)
        .sorted(
            Comparator.comparing((Held row) -> -row.entrant().priority())
                .thenComparing(Held::number))
        .toList();
  }

  /** Locks the saga's row before its place. */
  private boolean isQueued(SimulatedTransaction tx, UUID saga) throws SQLException {
    sagas.lock(tx, saga);
    MemorySagas.Row row = sagas.get(tx, saga);
    return row != null && row.state().status() == SagaStatus.QUEUED;
  }

  @Override
  public Set<UUID> waiting(Connection connection, Collection<UUID> queued) throws SQLException {
    if (queued.isEmpty()) {
      return Set.of();
    }
    SimulatedTransaction tx = SimulatedTransaction.of(connection);
    tx.statement(() -> "look who waits for a place");
    return of(tx, queued).stream()
        .filter(row -> row.number() != RUNS)
        .map(row -> row.entrant().saga())
        .collect(Collectors.toSet());
  }

  @Override
  public Map<UUID, Instant> takeTurns(
      Connection connection, String definition, Limit.OfStarts<?> limit, List<Entrant> entrants)
      throws SQLException {
    SimulatedTransaction tx = SimulatedTransaction.of(connection);
    Duration each = limit.within().dividedBy(limit.most());
    Map<UUID, Instant> later = new HashMap<>();
    for (Entrant entrant : entrants) {
      String key = Objects.requireNonNull(entrant.turnKey());
      tx.statement(() -> "take a turn");
      rates.lock(tx, key);
      Instant now = database.now();
      Instant freeAt = latest(rates.get(tx, key), now).plus(each);
      rates.put(tx, key, freeAt);
      Instant turn = freeAt.minus(limit.within());
      if (turn.isAfter(now)) {
        later.put(entrant.saga(), turn);
      }
    }
    return later;
  }

  private static Instant latest(@Nullable Instant one, Instant other) {
    return one == null || one.isBefore(other) ? other : one;
  }

  @Override
  public void setTimers(Connection connection, Map<UUID, Instant> turns) throws SQLException {
    SimulatedTransaction tx = SimulatedTransaction.of(connection);
    for (Map.Entry<UUID, Instant> each : turns.entrySet()) {
      tx.statement(() -> "set a timer");
      MemorySagas.Row saga = Objects.requireNonNull(sagas.get(tx, each.getKey()));
      Instant at = latest(each.getValue(), database.now());
      Instant timer = saga.timer() == null || saga.timer().isAfter(at) ? at : saga.timer();
      sagas.put(
          tx, saga.id(), new MemorySagas.Row(saga.origin(), saga.state(), saga.history(), timer));
    }
  }

  @Override
  public void note(Connection connection, List<UUID> waiting, String limit) throws SQLException {
    SimulatedTransaction tx = SimulatedTransaction.of(connection);
    for (UUID id : waiting) {
      tx.statement(() -> "note what a saga waits for");
      MemorySagas.Row saga = Objects.requireNonNull(sagas.get(tx, id));
      List<HistoryEntry> history = new ArrayList<>(saga.history());
      history.add(new HistoryEntry(database.now(), HistoryEvent.SAGA_QUEUED, null, limit));
      sagas.put(
          tx, id, new MemorySagas.Row(saga.origin(), changed(saga.state()), history, saga.timer()));
    }
  }

  private static SagaState changed(SagaState state) {
    return new SagaState(
        state.id(),
        state.definition(),
        state.version(),
        state.status(),
        state.reason(),
        state.steps(),
        state.startedAt(),
        state.deadlineAt(),
        state.endedAt(),
        state.revision() + 1);
  }

  /** None times out in the queue for a place that no saga has. */
  void check(SimulatedTransaction tx, SagaState before, SagaState after, Invariants invariants) {
    boolean timesOut =
        before.status() == SagaStatus.QUEUED && Reasons.DEADLINE_PASSED.equals(after.reason());
    if (timesOut && waitsInVain(tx, after.id())) {
      tx.afterCommit(() -> invariants.violated("a free place is given on", before.toString()));
    }
  }

  private boolean waitsInVain(SimulatedTransaction tx, UUID saga) {
    List<Held> all = table.all(tx);
    return all.stream().anyMatch(row -> row.entrant().saga().equals(saga) && row.number() > RUNS)
        && all.stream().noneMatch(row -> row.isInAll() && row.number() == RUNS);
  }
}
