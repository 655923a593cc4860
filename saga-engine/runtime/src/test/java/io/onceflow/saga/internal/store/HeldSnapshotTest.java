package io.onceflow.saga.internal.store;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.launcher.testing.TouchedBlocks;
import io.onceflow.saga.PlaceOrder;
import io.onceflow.saga.Saga.SagaStatus;
import io.onceflow.saga.SagaDefinition;
import io.onceflow.saga.internal.store.view.OpenSagas;
import io.onceflow.saga.internal.store.view.OpenTimers;
import io.onceflow.saga.internal.store.view.SagaCounts;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * What is read of the timers while another transaction, such as a backup, keeps its snapshot: the
 * entries of sagas that have moved on remain in the index. Seen red when scans began with the
 * oldest of them.
 */
@Timeout(value = 60, unit = SECONDS)
@Tag("nightly")
class HeldSnapshotTest {

  private static final int SAGAS = 100;

  /** Blocks of a few moves whose timers are still ahead, where no mark is put. */
  private static final int AHEAD = 80;

  private final Shop shop = new Shop(PlaceOrder.DEFINITION);
  private final TouchedBlocks blocks = new TouchedBlocks(SagaDatabase.source(), "saga_instance");
  private Connection snapshot;

  /** By this clock everything takes a second, so a scan from the start is not repeated soon. */
  private long now;

  private final SagaStore store =
      new PostgresSagaStore(new DueTimers(SagaDatabase.source(), this::tick));
  private final OpenTimers timers = new OpenTimers(SagaDatabase.source(), List.of(), this::tick);

  private long tick() {
    return now += Duration.ofSeconds(1).toNanos();
  }

  @BeforeEach
  void holdSnapshot() throws SQLException {
    SagaDatabase.makeAnew();
    shop.place(SAGAS);
    snapshot = SagaDatabase.begin();
    snapshot.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
    snapshot.prepareStatement("SELECT FROM saga_instance").execute();
  }

  @AfterEach
  void close() throws SQLException {
    snapshot.rollback();
    snapshot.close();
  }

  @Test
  void theTimersReadNoMoreWhenSagasHaveMovedOnTenTimesAsOften() throws Exception {
    readsNoMoreFor(this::due);
  }

  /** Formerly with the first saga that failed, its definition's timers read them all. */
  @Test
  void theSearchForSagasThatFailReadsNoMoreEither() throws Exception {
    readsNoMoreFor(tx -> store.due(tx, "place-order", Set.of(1), 50));
  }

  @Test
  void theNumberOfSagasUnderWayIsReadWithoutThoseThatHaveMovedOn() throws Exception {
    readsNoMoreFor(tx -> OpenSagas.underWay(tx, timers, 10_000, 10_000).all());
    readsNoMoreFor(tx -> OpenSagas.underWay(tx, timers, 10_000, 1));
  }

  /** Seen red: a service that had just started shed nothing, for it saw none of its sagas. */
  @Test
  void theFirstSagaOfADefinitionIsSeenAtOnce() throws Exception {
    SagaDefinition<PlaceOrder> other =
        new SagaDefinition<>("return-order", 1, PlaceOrder.DEFINITION.steps());
    OpenTimers own =
        new OpenTimers(SagaDatabase.source(), List.of("place-order", "return-order"), this::tick);
    assertThat(underWay(own)).isEqualTo(SAGAS);

    new Shop(other).placeOne();

    assertThat(underWay(own)).isEqualTo(SAGAS + 1);
    assertThat(in(SagaDatabase.source(), tx -> SagaCounts.open(tx, own)).with(SagaStatus.RUNNING))
        .isEqualTo(SAGAS + 1);
  }

  /** Seen red: new sagas were not counted while all others waited for longer than they do. */
  @Test
  void aSagaIsSeenAtOnceWhoseTimerComesBeforeAllOthers() throws Exception {
    SagaDatabase.execute("UPDATE saga_instance SET next_action_at = now() + interval '9 min'");
    OpenTimers own = new OpenTimers(SagaDatabase.source(), List.of("place-order"), this::tick);
    assertThat(underWay(own)).isEqualTo(SAGAS);
    assertThat(underWay(own)).isEqualTo(SAGAS);

    shop.placeOne();

    assertThat(underWay(own)).isEqualTo(SAGAS + 1);
  }

  private static long underWay(OpenTimers timers) throws SQLException {
    return in(SagaDatabase.source(), tx -> OpenSagas.underWay(tx, timers, 10_000, 10_000).all());
  }

  @Test
  void theMetricsAreReadWithoutThoseThatHaveMovedOn() throws Exception {
    readsNoMoreFor(tx -> SagaCounts.open(tx, timers));
  }

  private void readsNoMoreFor(SagaDatabase.Work<?> work) throws Exception {
    moveOn(5);
    long few = blocksOf(work);
    moveOn(45);
    assertThat(blocksOf(work)).isLessThanOrEqualTo(few + few / 2 + AHEAD);
    now += Duration.ofMinutes(5).toNanos();
    assertThat(blocks.during(source -> in(source, work)))
        .as("from the start")
        .isGreaterThan(2 * few + 200);
  }

  /** Once the mark has followed. */
  private long blocksOf(SagaDatabase.Work<?> work) throws Exception {
    in(SagaDatabase.source(), work);
    in(SagaDatabase.source(), work);
    return blocks.during(source -> in(source, work));
  }

  @Test
  void aScanFromTheStartFindsATimerThatWasSetBelowTheMark() throws Exception {
    UUID saga = shop.placeOne();
    assertThat(due(SagaDatabase.source())).isEmpty();
    SagaDatabase.execute(
        "UPDATE saga_instance SET next_action_at = now() - interval '1 h' WHERE id = '%s'"
            .formatted(saga));
    assertThat(due(SagaDatabase.source())).isEmpty();

    now += Duration.ofMinutes(5).toNanos();

    assertThat(due(SagaDatabase.source())).containsExactly(saga);
  }

  @Test
  void theMarkDoesNotPassATimerOfATransactionThatHasNotEnded() throws Exception {
    UUID saga = shop.placeOne();
    try (Connection tx = SagaDatabase.begin()) {
      tx.prepareStatement(
              "UPDATE saga_instance SET next_action_at = now() - interval '2 s' WHERE id = '%s'"
                  .formatted(saga))
          .execute();
      assertThat(due(SagaDatabase.source())).isEmpty();
      assertThat(due(SagaDatabase.source())).isEmpty();
      tx.commit();
    }
    assertThat(due(SagaDatabase.source())).containsExactly(saga);
  }

  /** They have waited for a day, as after one without any replica. */
  @Test
  void theMarkStaysWhileBatchesAreFull() throws Exception {
    SagaDatabase.execute("UPDATE saga_instance SET next_action_at = now() - interval '1 day'");
    for (int batch = 0; batch < SAGAS / 50; batch++) {
      List<UUID> due = due(SagaDatabase.source());
      assertThat(due).hasSize(50);
      due.forEach(HeldSnapshotTest::moveOn);
    }
    assertThat(due(SagaDatabase.source())).isEmpty();
  }

  /** Seen red: the mark passed what was older than a minute, also where moving it had failed. */
  @Test
  void theMarkDoesNotPassSagasThatCouldNotBeMoved() throws Exception {
    SagaDatabase.execute(
        "DELETE FROM saga_instance WHERE id NOT IN (SELECT id FROM saga_instance LIMIT 9)");
    SagaDatabase.execute("UPDATE saga_instance SET next_action_at = now() - interval '1 day'");
    assertThat(due(SagaDatabase.source())).hasSize(9);
    assertThat(due(SagaDatabase.source())).hasSize(9);
    assertThat(due(SagaDatabase.source())).hasSize(9);
  }

  @Test
  void aSagaOfAnUnknownVersionDoesNotMakeScansReadThoseThatHaveMovedOn() throws Exception {
    UUID unknown = shop.placeOne();
    moveOn(45);
    SagaDatabase.execute(
        "UPDATE saga_instance SET version = 99, next_action_at = now() - interval '1 h' WHERE id = '%s'"
            .formatted(unknown));
    due(SagaDatabase.source());

    assertThat(blocks.during(source -> in(source, this::due))).isLessThan(AHEAD);
  }

  private static void moveOn(UUID saga) {
    try {
      SagaDatabase.execute(
          "UPDATE saga_instance SET next_action_at = now() + interval '1 h' WHERE id = '%s'"
              .formatted(saga));
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private List<UUID> due(DataSource database) throws SQLException {
    return in(database, this::due);
  }

  private List<UUID> due(Connection tx) throws SQLException {
    return store.loadForUpdate(tx, store.due(tx, "place-order", Set.of(1), 50).ids()).stream()
        .map(stored -> stored.reached().id())
        .toList();
  }

  private static <T> T in(DataSource database, SagaDatabase.Work<T> work) throws SQLException {
    try (Connection tx = database.getConnection()) {
      tx.setAutoCommit(false);
      T result = work.in(tx);
      tx.commit();
      return result;
    }
  }

  /** Each saga sends and gets a reply as often, during the last half hour, and sends once more. */
  private static void moveOn(int times) throws SQLException {
    try (Connection connection = SagaDatabase.connect();
        PreparedStatement move =
            connection.prepareStatement(
                "UPDATE saga_instance SET next_action_at = now() + ?::interval")) {
      for (int i = 0; i < times; i++) {
        move.setString(1, -1_800 + 10 * i + " s");
        move.execute();
      }
      move.setString(1, "10 s");
      move.execute();
    }
  }
}
