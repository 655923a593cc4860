package io.onceflow.participant;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onceflow.core.IdempotencyKey;
import io.onceflow.core.internal.StepKey;
import io.onceflow.idempotency.testing.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class RecordTableTest {

  private static final TestDatabase DATABASE = TestDatabase.migrated("payments");
  private static final Instant NOW = Instant.parse("2026-01-02T03:04:05.678901Z");

  private final SeatTable table = new SeatTable();
  private final UUID trip = UUID.randomUUID();

  enum Comfort {
    FIRST,
    SECOND
  }

  /** A row with a column of each type. */
  record Seat(
      UUID id,
      UUID tripId,
      CallKey key,
      @Nullable Comfort travelClass,
      @Nullable String coach,
      long price,
      int number,
      boolean isWindow,
      Instant reservedAt,
      @Nullable Instant cancelledAt) {

    Seat cancelled() {
      return new Seat(
          id, tripId, key, travelClass, "other", price, number, isWindow, reservedAt, NOW);
    }
  }

  static final class SeatTable extends RecordTable<Seat> {

    SeatTable() {
      super(Seat.class, "seat", "trip_id", "cancelled_at");
    }

    @Override
    protected UUID subjectOf(Seat row) {
      return row.tripId();
    }
  }

  @BeforeAll
  static void create() {
    DATABASE.update(
        """
        CREATE TABLE IF NOT EXISTS seat (
          id           uuid        NOT NULL PRIMARY KEY,
          trip_id      uuid        NOT NULL,
          scope        text        NOT NULL,
          step_key     text        NOT NULL,
          travel_class text,
          coach        text,
          price        bigint      NOT NULL,
          number       integer     NOT NULL,
          is_window    boolean     NOT NULL,
          reserved_at  timestamptz NOT NULL,
          cancelled_at timestamptz,
          UNIQUE (trip_id, scope, step_key)
        )
        """);
  }

  @Test
  void readsWhatItHasWritten() throws SQLException {
    Seat one = seat("reserve-seat", Comfort.SECOND, "7");
    Seat other = seat("reserve-return", null, null);
    save(one, other);

    assertThat(load(trip)).containsExactlyInAnyOrder(one, other);
  }

  @Test
  void readsTheRowsOfEachSubjectApart() throws SQLException {
    Seat ours = seat("reserve-seat", Comfort.FIRST, "1");
    UUID another = UUID.randomUUID();
    Seat theirs =
        new Seat(
            UUID.randomUUID(), another, key("reserve-seat"), null, null, 1, 2, true, NOW, null);
    save(ours, theirs);

    try (Connection connection = DATABASE.connect()) {
      assertThat(table.load(connection, Set.of(trip, another)))
          .isEqualTo(Map.of(trip, List.of(ours), another, List.of(theirs)));
    }
  }

  @Test
  void updatesOnlyWhatMayChange() throws SQLException {
    Seat seat = seat("reserve-seat", Comfort.FIRST, "1");
    save(seat);
    save(seat.cancelled());

    Seat stored = load(trip).getFirst();
    assertThat(stored.cancelledAt()).isEqualTo(NOW);
    assertThat(stored.coach()).isEqualTo("1");
  }

  @Test
  void keepsTheLatestOfARowThatIsSavedTwiceAtOnce() throws SQLException {
    Seat seat = seat("reserve-seat", Comfort.FIRST, "1");
    save(seat, seat.cancelled());

    assertThat(load(trip)).containsExactly(seat.cancelled());
  }

  @Test
  void refusesAnotherRowOfTheSameStep() throws SQLException {
    Seat seat = seat("reserve-seat", Comfort.FIRST, "1");
    save(seat);
    Seat second = new Seat(UUID.randomUUID(), trip, seat.key(), null, null, 1, 2, true, NOW, null);

    assertThatThrownBy(() -> save(second))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("seat")
        .hasMessageContaining(trip.toString());
    assertThat(load(trip)).containsExactly(seat);
  }

  @Test
  void findsRowsByAColumn() throws SQLException {
    Seat seat = seat("reserve-seat", Comfort.FIRST, "1");
    save(seat);

    try (Connection connection = DATABASE.connect()) {
      assertThat(table.find(connection, "id", seat.id())).containsExactly(seat);
      assertThat(table.find(connection, "id", UUID.randomUUID())).isEmpty();
      assertThatThrownBy(() -> table.find(connection, "1 = 1 OR id", seat.id()))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void tellsWhichStepWroteARow() {
    Seat seat = seat("reserve-seat", Comfort.FIRST, "1");
    StepKey step = seat.key().step();

    assertThat(table.wasWrittenBy(seat, "alice", step)).isTrue();
    assertThat(table.wasWrittenBy(seat, "bob", step)).isFalse();
    assertThat(table.wasWrittenBy(seat, "alice", step.sibling("other"))).isFalse();
    assertThat(
            table.wasWrittenBy(seat, "alice", new StepKey(step.root(), step.step(), "shop/sell")))
        .isFalse();
  }

  @Test
  void refusesARecordWithoutAKey() {
    record Keyless(UUID id, UUID tripId) {}

    assertThatThrownBy(() -> new RecordColumns<>(Keyless.class))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("has 0 components of type CallKey");
  }

  @Test
  void refusesAComponentThatHasNoColumnType() {
    record Odd(UUID id, CallKey key, List<String> names) {}

    assertThatThrownBy(() -> new RecordColumns<>(Odd.class))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("names");
  }

  private Seat seat(String step, @Nullable Comfort travelClass, @Nullable String coach) {
    return new Seat(
        UUID.randomUUID(),
        trip,
        key(step),
        travelClass,
        coach,
        4_900_000_000L,
        61,
        true,
        NOW,
        null);
  }

  private static CallKey key(String step) {
    return new CallKey(
        "alice", new StepKey(new IdempotencyKey("root"), step, "order-service/place-order"));
  }

  private void save(Seat... seats) throws SQLException {
    try (Connection connection = DATABASE.connect()) {
      table.save(connection, List.of(seats));
    }
  }

  private List<Seat> load(UUID subject) throws SQLException {
    try (Connection connection = DATABASE.connect()) {
      return table.load(connection, Set.of(subject)).getOrDefault(subject, List.of());
    }
  }
}
