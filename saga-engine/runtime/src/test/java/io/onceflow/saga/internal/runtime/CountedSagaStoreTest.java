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
import io.onceflow.saga.internal.store.SagaOrigin;
import io.onceflow.saga.internal.store.SagaStore;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class CountedSagaStoreTest {

  private static final Instant NOW = Instant.parse("2026-01-01T12:00:00Z");

  private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
  private final SagaState state =
      SagaState.toBeStarted(UUID.randomUUID(), PlaceOrder.DEFINITION, NOW);

  @Test
  void countsWhatIsWrittenIntoTheHistory() throws SQLException {
    CountedSagaStore store = new CountedSagaStore(thatWrites(), meters);

    store.insert(noConnection(), List.of(started()));
    store.save(noConnection(), List.of(changed(HistoryEvent.GIVEN_UP, HistoryEvent.GIVEN_UP)));
    store.save(noConnection(), List.of(changed(HistoryEvent.LATE_SUCCESS), changed()));

    assertThat(counted(HistoryEvent.SAGA_STARTED)).isEqualTo(1);
    assertThat(counted(HistoryEvent.GIVEN_UP)).isEqualTo(2);
    assertThat(counted(HistoryEvent.LATE_SUCCESS)).isEqualTo(1);
  }

  @Test
  void showsZeroForWhatHasNotHappenedYet() throws SQLException {
    new CountedSagaStore(thatWrites(), meters).insert(noConnection(), List.of(started()));

    assertThat(counted(HistoryEvent.SAGA_STUCK)).isZero();
  }

  @Test
  void countsNothingThatWasNotWritten() {
    CountedSagaStore store = new CountedSagaStore(thatIsAway(), meters);

    assertThatExceptionOfType(SQLException.class)
        .isThrownBy(() -> store.save(noConnection(), List.of(changed(HistoryEvent.GIVEN_UP))));

    assertThat(meters.getMeters()).isEmpty();
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
    SagaOrigin origin = new SagaOrigin(UUID.randomUUID(), "alice", "key", "", null);
    return new NewSaga(origin, state, history(HistoryEvent.SAGA_STARTED));
  }

  private SagaChange changed(HistoryEvent... events) {
    return new SagaChange(state, state, history(events));
  }

  private static List<HistoryEntry> history(HistoryEvent... events) {
    return Arrays.stream(events).map(event -> new HistoryEntry(NOW, event, null, null)).toList();
  }

  /** Nothing is kept: what is written is of no interest here. */
  private static SagaStore thatWrites() {
    return proxy(SagaStore.class, null);
  }

  private static SagaStore thatIsAway() {
    return proxy(SagaStore.class, new SQLException("the database is away"));
  }

  private static Connection noConnection() {
    return proxy(Connection.class, null);
  }

  private static <T> T proxy(Class<T> type, @Nullable SQLException failure) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> {
              if (failure != null) {
                throw failure;
              }
              return null;
            }));
  }
}
