package io.onceflow.saga.internal.store;

import static io.onceflow.saga.PlaceOrder.paymentProcessed;
import static io.onceflow.saga.PlaceOrder.shipmentArranged;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.internal.retention.Backlog;
import io.onceflow.saga.PlaceOrder;
import io.onceflow.saga.internal.store.retention.EndedSagas;
import io.onceflow.saga.internal.store.retention.EndedSagas.Ended;
import io.onceflow.saga.internal.store.retention.UsedRootKeys;
import io.onceflow.sql.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Sagas are kept for thirty days after their end here, and their root keys for a hundred. */
@Timeout(value = 60, unit = SECONDS)
class EndedSagasTest {

  private static final Duration RETENTION = Duration.ofDays(30);
  private static final Duration ROOT_KEY_RETENTION = Duration.ofDays(100);

  private final Shop shop =
      new Shop(PlaceOrder.DEFINITION.searchableBy("orderNumber", PlaceOrder::id));
  private final SagaStore store = new PostgresSagaStore(SagaDatabase.source());

  @BeforeEach
  void emptyDatabase() {
    SagaDatabase.makeAnew();
  }

  @Test
  void areDeletedWithTheirStepsAndTheirHistoryWhenTheirRetentionIsOver() throws SQLException {
    UUID old = ended("31 days");
    UUID young = ended("29 days");

    assertThat(deleteExpired()).containsExactly(old);

    assertThat(remaining("id", "saga_instance")).containsExactly(young);
    assertThat(remaining("saga_id", "saga_attribute")).containsExactly(young);
    assertThat(remaining("saga_id", "saga_history")).containsExactly(young);
  }

  /** A saga that took months is kept for as long after its end as any other. */
  @Test
  void areKeptCountingFromTheirEndAndNotFromTheirStart() throws SQLException {
    UUID slow = ended("60 days");
    SagaDatabase.execute("UPDATE saga_instance SET ended_at = now() - interval '29 days'");

    assertThat(deleteExpired()).isEmpty();
    assertThat(remaining("id", "saga_instance")).containsExactly(slow);
  }

  @Test
  void areOnlyThoseThatHaveEnded() throws SQLException {
    UUID stuck = aged(shop.placeOne(), "200 days");

    assertThat(deleteExpired()).isEmpty();
    assertThat(backlog().rows()).isZero();
    assertThat(remaining("id", "saga_instance")).containsExactly(stuck);
  }

  /** Participants remember its steps: seen red without the memory. */
  @Test
  void leaveTheirRootKeyUsed() throws SQLException {
    ended("31 days");
    RootKey key = new RootKey("alice", shop.sent.getFirst().rootKey());
    RootKey other = new RootKey("bob", key.value());

    deleteExpired();

    assertThat(used(key, other)).containsExactly(key);
    assertThat(isOfDeleted(key)).isTrue();
    assertThat(isOfDeleted(other)).isFalse();
  }

  @Test
  void leaveTheirRootKeyUsedForAsLongAsItIsRemembered() throws SQLException {
    ended("31 days");
    RootKey key = new RootKey("alice", shop.sent.getFirst().rootKey());
    deleteExpired();

    SagaDatabase.execute("UPDATE saga_root_key SET expires_at = expires_at - interval '69 days'");
    assertThat(deleteExpiredRootKeys()).as("it ended 100 days ago").isZero();
    SagaDatabase.execute("UPDATE saga_root_key SET expires_at = expires_at - interval '2 hours'");
    assertThat(deleteExpiredRootKeys()).isEqualTo(1);

    assertThat(used(key)).isEmpty();
  }

  @Test
  void needNoMemoryWhenTheirRootKeysAreForgottenAlready() throws SQLException {
    ended("101 days");

    assertThat(deleteExpired()).hasSize(1);

    assertThat(SagaDatabase.count("SELECT count(*) FROM saga_root_key")).isZero();
  }

  @Test
  void areRememberedForTheLongestWhenTheyHadTheSameRootKey() throws SQLException {
    ended("60 days");
    ended("31 days");
    SagaDatabase.execute("UPDATE saga_instance SET root_key = 'same'");

    deleteExpired();

    assertThat(
            SagaDatabase.count(
                "SELECT count(*) FROM saga_root_key WHERE expires_at > now() + interval '68 days'"))
        .isEqualTo(1);
  }

  @Test
  void areSkippedWhileAnOperatorHasThemLocked() throws SQLException {
    UUID locked = ended("32 days");
    UUID free = ended("31 days");

    try (Connection operator = SagaDatabase.begin()) {
      store.loadForUpdate(operator, Set.of(locked));
      assertThat(deleteExpired()).containsExactly(free);
    }
    assertThat(deleteExpired()).containsExactly(locked);
  }

  @Test
  void areDeletedByOneReplicaAtATime() throws SQLException {
    ended("32 days");

    try (Connection other = SagaDatabase.begin()) {
      assertThat(EndedSagas.lock(other, EndedSagas.FIRST, RETENTION, 1)).hasSize(1);
      ended("31 days");
      assertThat(deleteExpired()).isEmpty();
    }
    assertThat(deleteExpired()).hasSize(2);
  }

  @Test
  void areFoundOnlyBeyondTheGivenOne() throws SQLException {
    UUID first = ended("33 days");
    UUID second = ended("32 days");
    UUID third = ended("31 days");

    SagaDatabase.inTransaction(
        tx -> {
          assertThat(ids(EndedSagas.lock(tx, EndedSagas.FIRST, RETENTION, 2)))
              .containsExactly(first, second);
          assertThat(ids(EndedSagas.lock(tx, second, RETENTION, 2))).containsExactly(third);
          assertThat(EndedSagas.backlog(tx, second, RETENTION).rows()).isEqualTo(1);
          return null;
        });
  }

  @Test
  void areABacklogUntilTheyAreDeleted() throws SQLException {
    ended("32 days");
    ended("31 days");

    assertThat(backlog().rows()).isEqualTo(2);
    assertThat(backlog().oldest()).isBetween(Duration.ofHours(47), Duration.ofHours(49));
    deleteExpired();
    assertThat(backlog()).isEqualTo(Backlog.NONE);
  }

  /** A saga that starts costs no entry of an index more, and nothing is sorted or read in full. */
  @Test
  void areFoundByThePrimaryKey() throws SQLException {
    SagaDatabase.execute(
        """
        INSERT INTO saga_instance
               (id, definition, version, subject_id, scope, root_key, origin, steps, status,
                revision, started_at, ended_at)
        SELECT (lpad(to_hex((extract(epoch FROM at) * 1000)::bigint), 12, '0')
                || substr(md5(n::text), 13))::uuid,
               'place-order', 1, gen_random_uuid(), 'alice', n::text, 'shop/place-order', '[]',
               'COMPLETED', 3, at, at
        FROM   generate_series(1, 20000) AS n,
               LATERAL (SELECT now() - interval '60 days' + n * interval '1 min' AS at) AS made
        """);
    SagaDatabase.execute("ANALYZE saga_instance");

    SagaDatabase.inTransaction(
        tx -> {
          Sql.update(tx, "SET LOCAL enable_seqscan = on");
          assertThat(EndedSagas.lock(tx, EndedSagas.FIRST, RETENTION, 100)).hasSize(100);
          assertThat(plan(tx))
              .anyMatch(line -> line.contains("saga_instance_pkey"))
              .noneMatch(line -> line.contains("Sort") || line.contains("Seq Scan"));
          return null;
        });
  }

  private static List<String> plan(Connection tx) throws SQLException {
    return Sql.query(
        tx,
        "EXPLAIN " + EndedSagas.LOCK,
        row -> row.text("QUERY PLAN"),
        RETENTION.toMillis(),
        EndedSagas.FIRST,
        100);
  }

  private static List<UUID> deleteExpired() throws SQLException {
    return SagaDatabase.inTransaction(
        tx -> {
          List<UUID> ids = ids(EndedSagas.lock(tx, EndedSagas.FIRST, RETENTION, 100));
          EndedSagas.delete(tx, ids, ROOT_KEY_RETENTION);
          return ids;
        });
  }

  private static int deleteExpiredRootKeys() throws SQLException {
    return SagaDatabase.inTransaction(
        tx -> Sql.update(tx, UsedRootKeys.OF_DELETED_SAGAS.delete(), 0L, 10));
  }

  private static Backlog backlog() throws SQLException {
    return SagaDatabase.inTransaction(tx -> EndedSagas.backlog(tx, EndedSagas.FIRST, RETENTION));
  }

  private Set<RootKey> used(RootKey... keys) throws SQLException {
    return SagaDatabase.inTransaction(tx -> store.usedRootKeys(tx, List.of(keys)));
  }

  private static boolean isOfDeleted(RootKey key) throws SQLException {
    return SagaDatabase.inTransaction(tx -> UsedRootKeys.isOfDeleted(tx, key));
  }

  private static List<UUID> ids(List<Ended> sagas) {
    return sagas.stream().map(Ended::id).toList();
  }

  private static List<UUID> remaining(String column, String table) throws SQLException {
    return SagaDatabase.inTransaction(
        tx ->
            Sql.query(
                tx,
                "SELECT DISTINCT %s AS id FROM %s".formatted(column, table),
                row -> row.uuid("id")));
  }

  /** A saga that went through so long ago. */
  private UUID ended(String ago) throws SQLException {
    UUID saga = shop.placeOne();
    shop.deliver(saga, paymentProcessed(), shipmentArranged());
    return aged(saga, ago);
  }

  private static UUID aged(UUID saga, String ago) throws SQLException {
    return SagaDatabase.inTransaction(tx -> OlderSaga.make(tx, saga, ago));
  }
}
