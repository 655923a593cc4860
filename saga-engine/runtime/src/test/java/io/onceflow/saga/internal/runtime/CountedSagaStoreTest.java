package io.onceflow.saga.internal.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.onceflow.saga.PlaceOrder;
import io.onceflow.saga.internal.engine.HistoryEntry;
import io.onceflow.saga.internal.engine.HistoryEvent;
import io.onceflow.saga.internal.engine.SagaState;
import io.onceflow.saga.internal.store.NewSaga;
import io.onceflow.saga.internal.store.SagaChange;
import io.onceflow.saga.internal.store.SagaDatabase;
import io.onceflow.saga.internal.store.SagaLostUpdate;
import io.onceflow.saga.internal.store.SagaOrigin;
import io.onceflow.saga.internal.store.SentCommands;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class CountedSagaStoreTest {

  private static final Instant NOW = Instant.parse("2026-01-01T12:00:00Z");

  private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
  private final SagaState state =
      SagaState.toBeStarted(UUID.randomUUID(), PlaceOrder.DEFINITION, NOW);

  private final CountedSagaStore store = new CountedSagaStore(meters, SagaDatabase.source());

  @BeforeEach
  void emptyDatabase() {
    SagaDatabase.makeAnew();
  }

  @Test
  void countsWhatIsWrittenIntoTheHistory() throws SQLException {
    insert(started());
    save(
        changed(state, HistoryEvent.GIVEN_UP, HistoryEvent.GIVEN_UP),
        changed(written(state), HistoryEvent.LATE_SUCCESS));

    assertThat(counted(HistoryEvent.SAGA_STARTED)).isEqualTo(1);
    assertThat(counted(HistoryEvent.GIVEN_UP)).isEqualTo(2);
    assertThat(counted(HistoryEvent.LATE_SUCCESS)).isEqualTo(1);
  }

  @Test
  void showsZeroForWhatHasNotHappenedYet() throws SQLException {
    insert(started());

    assertThat(counted(HistoryEvent.SAGA_STUCK)).isZero();
  }

  /** Before: a batch that was rolled back and settled one by one was counted twice. */
  @Test
  void countsNothingBeforeItIsCommitted() throws SQLException {
    NewSaga saga = started();
    SagaDatabase.inTransaction(
        tx -> {
          store.insert(tx, List.of(saga));
          store.save(tx, List.of(changed(state, HistoryEvent.GIVEN_UP)));
          return saga;
        });
    assertThat(meters.getMeters()).isEmpty();

    store.committed(List.of(saga), List.of());

    assertThat(counted(HistoryEvent.SAGA_STARTED)).isEqualTo(1);
  }

  @Test
  void countsNothingThatWasNotWritten() {
    assertThatExceptionOfType(SagaLostUpdate.class)
        .as("there is no such saga")
        .isThrownBy(() -> save(changed(state, HistoryEvent.GIVEN_UP)));

    assertThat(meters.getMeters()).isEmpty();
  }

  private void insert(NewSaga saga) throws SQLException {
    SagaDatabase.inTransaction(
        tx -> {
          store.insert(tx, List.of(saga));
          return saga;
        });
    store.committed(List.of(saga), List.of());
  }

  /** Each in its own transaction. */
  private void save(SagaChange... changes) throws SQLException {
    for (SagaChange change : changes) {
      SagaDatabase.inTransaction(
          tx -> {
            store.save(tx, List.of(change));
            return change;
          });
      store.committed(List.of(), List.of(change));
    }
  }

  private double counted(HistoryEvent event) {
    return meters
        .get("onceflow.sagas.events")
        .tag("definition", "place-order")
        .tag("event", event.word())
        .counter()
        .count();
  }

  private NewSaga started() {
    SagaOrigin origin = new SagaOrigin(UUID.randomUUID(), "alice", "key", "shop/place-order", null);
    return new NewSaga(
        origin, state, history(HistoryEvent.SAGA_STARTED), SentCommands.NONE, Map.of());
  }

  private static SagaChange changed(SagaState from, HistoryEvent... events) {
    return new SagaChange(from, written(from), history(events), null, SentCommands.NONE);
  }

  private static SagaState written(SagaState from) {
    return new SagaState(
        from.id(),
        from.definition(),
        from.version(),
        from.status(),
        from.reason(),
        from.steps(),
        from.startedAt(),
        from.deadlineAt(),
        from.endedAt(),
        from.revision() + 1);
  }

  private static List<HistoryEntry> history(HistoryEvent... events) {
    return Arrays.stream(events).map(event -> new HistoryEntry(NOW, event, null, null)).toList();
  }
}
