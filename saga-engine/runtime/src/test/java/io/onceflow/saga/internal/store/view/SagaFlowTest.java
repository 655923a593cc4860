package io.onceflow.saga.internal.store.view;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.saga.internal.store.SagaDatabase;
import io.onceflow.sql.Sql;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How many sagas start and end, and how long they take. */
@Timeout(value = 60, unit = SECONDS)
class SagaFlowTest {

  private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");

  private int made;

  @BeforeEach
  void emptyDatabase() {
    SagaDatabase.makeAnew();
  }

  @Test
  void nothingHappenedOfLate() throws SQLException {
    started(Duration.ofMinutes(11), Duration.ofSeconds(1));

    assertThat(read(100)).isEqualTo(new SagaFlow(0, 0, null, null, null));
  }

  @Test
  void theLastMinuteCountsByStartAndByEnd() throws SQLException {
    for (int i = 1; i <= 12; i++) {
      started(Duration.ofSeconds(30), null);
    }
    started(Duration.ofSeconds(50), Duration.ofSeconds(2));
    started(
        Duration.ofMinutes(5), Duration.ofMinutes(4).plusSeconds(30)); // ended half a minute ago
    started(Duration.ofMinutes(5), Duration.ofSeconds(1)); // ended long ago
    for (int i = 1; i <= 4; i++) {
      started(Duration.ofSeconds(20), Duration.ofSeconds(1));
    }

    SagaFlow flow = read(100);

    assertThat(flow.startedPerSecond()).isEqualTo(0.283); // 17 in 60 s
    assertThat(flow.endedPerSecond()).isEqualTo(0.1); // 6 in 60 s
    assertThat(flow.p50Ms()).isEqualTo(1_000);
    assertThat(flow.p99Ms()).isEqualTo(270_000);
  }

  /** Ten a second, and the newest hundred are looked at: they span ten seconds, and five count. */
  @Test
  void ofMoreThanAreLookedAtHalfOfTheirTimeCounts() throws SQLException {
    for (int i = 0; i < 300; i++) {
      started(Duration.ofMillis(100L * i + 50), i < 10 ? null : Duration.ofSeconds(1));
    }

    SagaFlow flow = read(100);

    assertThat(flow.startedPerSecond()).isBetween(9.8, 10.2);
    assertThat(flow.endedPerSecond()).isBetween(9.8, 10.2);
    assertThat(flow.p95Ms()).isEqualTo(1_000);
    assertThat(flow.p99Ms()).isEqualTo(1_000);
  }

  @Test
  void onlyTheEndOfThePrimaryKeyIsRead() throws SQLException {
    SagaDatabase.execute(
        """
        INSERT INTO saga_instance (id, definition, version, subject_id, scope, root_key, origin,
                                   steps, status, revision, started_at, ended_at)
        SELECT ('00000000-0000-7000-8000-' || lpad(i::text, 12, '0'))::uuid, 'place-order', 1,
               gen_random_uuid(), 'alice', 'key-' || i, 'shop/place-order', '[]', 'COMPLETED', 3,
               '2026-02-01T12:00:00Z', '2026-02-01T12:00:01Z'
        FROM   generate_series(1, 20000) AS i
        """);
    SagaDatabase.execute("ANALYZE saga_instance");
    SagaDatabase.inTransaction(
        tx -> {
          Sql.update(tx, "SET LOCAL enable_seqscan = on");
          assertThat(
                  Sql.query(
                      tx,
                      "EXPLAIN " + SagaFlow.RECENT,
                      row -> row.text("QUERY PLAN"),
                      UuidTime.first(NOW),
                      100,
                      100,
                      Timestamp.from(NOW),
                      Timestamp.from(NOW)))
              .anyMatch(line -> line.contains("Backward using saga_instance_pkey"))
              .noneMatch(line -> line.contains("Seq Scan"));
          return true;
        });
  }

  private static SagaFlow read(int most) throws SQLException {
    return SagaDatabase.inTransaction(tx -> SagaFlow.read(tx, NOW, most));
  }

  private void started(Duration ago, @Nullable Duration took) throws SQLException {
    Instant at = NOW.minus(ago);
    UUID first = UuidTime.first(at);
    UUID id = new UUID(first.getMostSignificantBits(), first.getLeastSignificantBits() + ++made);
    String ended = took == null ? "NULL" : "'%s'".formatted(at.plus(took));
    SagaDatabase.execute(
        """
        INSERT INTO saga_instance (id, definition, version, subject_id, scope, root_key, origin,
                                   steps, status, revision, next_action_at, started_at, ended_at)
        VALUES ('%s', 'place-order', 1, gen_random_uuid(), 'alice', 'key', 'shop/place-order', '[]', '%s', 1, %s, '%s', %s)
        """
            .formatted(
                id,
                took == null ? "RUNNING" : "COMPLETED",
                took == null ? "now()" : "NULL",
                at,
                ended));
  }
}
