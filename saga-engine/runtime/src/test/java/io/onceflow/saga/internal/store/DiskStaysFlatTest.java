package io.onceflow.saga.internal.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.idempotency.internal.store.IdempotencyCleanup;
import io.onceflow.inbox.internal.EndedSteps;
import io.onceflow.saga.internal.store.retention.EndedSagas;
import io.onceflow.saga.internal.store.retention.EndedSagas.Ended;
import io.onceflow.saga.internal.store.retention.UsedRootKeys;
import io.onceflow.sql.ExpiringTable.CollectedTable;
import io.onceflow.sql.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Sagas come at a constant rate and are deleted when as many others have ended since as are to be
 * kept. Each part of them is an hour ahead of the one before: it is written with the times of its
 * hour, and the retention is counted from the end of that hour. {@code
 * -Donceflow.disk.kept=1000000} takes half an hour and prints the sizes.
 */
@Tag("nightly")
class DiskStaysFlatTest {

  private static final int KEPT = Integer.getInteger("onceflow.disk.kept", 2_000);
  private static final int HOURS_KEPT = 10;
  private static final int SAGAS_AN_HOUR = KEPT / HOURS_KEPT;

  private static final List<String> TABLES =
      List.of(
          "saga_instance", "saga_journal", "saga_root_key", "inbox_message", "idempotency_record");

  /** Its parameters are a number and the beginning of an hour. */
  private static final String SAGAS =
      """
      WITH sagas AS (
        SELECT n, at, md5(at::text || n) AS root_key,
               (lpad(to_hex((extract(epoch FROM at) * 1000)::bigint), 12, '0')
                || '7' || substr(md5(at::text || n), 14))::uuid AS id
        FROM   generate_series(1, ?) AS n,
               LATERAL (SELECT ?::timestamptz + interval '10 min' + n * interval '1 ms' AS at) AS made
      )
      """;

  private static final List<String> FILL =
      List.of(
          """
          INSERT INTO saga_instance
                 (id, definition, version, subject_id, scope, root_key, origin, traceparent, status,
                  revision, started_at, ended_at, steps)
          SELECT id, 'place-order', 1, gen_random_uuid(), 'customer-' || n % 1000, root_key,
                 'order-service/place-order', '00-' || root_key || '-b7ad6b7169203331-01',
                 'COMPLETED', 3, at, at,
                 (SELECT json_agg(json_build_object(
                           'name', 'step-' || position, 'status', 'SUCCEEDED', 'attempts', 1,
                           'sentAt', to_json(at), 'repliedAt', to_json(at)))
                  FROM   generate_series(0, 2) AS position)
          FROM   sagas
          """,
          """
          INSERT INTO saga_journal (saga_id, revision, at, entries)
          SELECT id, revision, at,
                 '[{"event":"succeeded","step":"process-payment","detail":"PaymentProcessed"},'
                 '{"event":"command-sent","step":"arrange-shipment"}]'
          FROM   sagas, generate_series(1, 3) AS revision
          """,
          """
          INSERT INTO inbox_message
                 (scope, step_key, fingerprint, status, outcome, received_at, completed_at)
          SELECT 'customer-' || n % 1000, root_key || ':record-' || step, sha256(root_key::bytea),
                 'COMPLETED', json_build_object('reference', root_key), at, at
          FROM   sagas, generate_series(1, 2) AS step
          """,
          """
          INSERT INTO idempotency_record
                 (scope, key, fingerprint, status, response_status, response_headers,
                  response_body, created_at, completed_at, expires_at)
          SELECT 'customer-' || n % 1000, root_key, sha256(root_key::bytea), 'COMPLETED', 201, '{}',
                 convert_to(repeat(root_key, 10), 'UTF8'), at, at, at + interval '10 h'
          FROM   sagas
          """);

  @Test
  void staysFlatAtAConstantRate() throws SQLException {
    SagaDatabase.makeAnew("classpath:db/onceflow/inbox", "classpath:db/onceflow/idempotency");
    int hours = 5 * HOURS_KEPT;
    Instant begin = Instant.now();
    long early = 0;
    for (int hour = 1; hour <= hours; hour++) {
      pass(begin.plus(Duration.ofHours(hour)));
      if (hour == HOURS_KEPT * 3 / 2) {
        early = size(hour);
      }
    }
    long late = size(hours);

    assertThat(SagaDatabase.count("SELECT count(*) FROM saga_instance")).isEqualTo(KEPT);
    assertThat(SagaDatabase.count("SELECT count(*) FROM saga_journal")).isEqualTo(3L * KEPT);
    assertThat(SagaDatabase.count("SELECT count(*) FROM saga_root_key"))
        .as("by the hour, so some longer")
        .isBetween((long) KEPT, (long) KEPT + SAGAS_AN_HOUR);
    assertThat((double) late / early).isLessThanOrEqualTo(1.05);
  }

  /** Writes the sagas that ended in the hour before a moment, and deletes what expired by then. */
  private static void pass(Instant until) throws SQLException {
    Instant hour = until.minus(Duration.ofHours(1));
    try (Connection connection = SagaDatabase.connect()) {
      for (String insert : FILL) {
        Sql.update(connection, SAGAS + insert, SAGAS_AN_HOUR, hour);
      }
      Duration sinceThen = Duration.between(until, Instant.now());
      Duration retention = sinceThen.plusHours(HOURS_KEPT);
      deleteSagas(connection, retention);
      delete(connection, EndedSteps.table(retention), retention);
      delete(connection, IdempotencyCleanup.TABLE, sinceThen);
      delete(connection, UsedRootKeys.OF_DELETED_SAGAS, sinceThen);
      for (String table : TABLES) {
        Sql.update(connection, "VACUUM " + table);
      }
    }
  }

  private static void deleteSagas(Connection connection, Duration retention) throws SQLException {
    UUID position = EndedSagas.FIRST;
    List<Ended> batch;
    connection.setAutoCommit(false);
    do {
      batch = EndedSagas.lock(connection, position, retention, 100);
      // Their keys are remembered for as long again.
      EndedSagas.delete(
          connection, batch.stream().map(Ended::id).toList(), Duration.ofHours(2L * HOURS_KEPT));
      connection.commit();
      position = batch.isEmpty() ? position : batch.getLast().id();
    } while (batch.size() == 100);
    connection.setAutoCommit(true);
  }

  private static void delete(Connection connection, CollectedTable table, Duration kept)
      throws SQLException {
    while (Sql.update(connection, table.delete(), kept.toMillis(), 1_000) == 1_000) {
      // The next batch.
    }
  }

  private static long size(int hour) throws SQLException {
    long all = 0;
    StringBuilder told = new StringBuilder();
    for (String table : TABLES) {
      long bytes = SagaDatabase.count("SELECT pg_total_relation_size('%s')".formatted(table));
      all += bytes;
      told.append(" %s %,d kB".formatted(table, bytes / 1024));
    }
    System.out.printf(
        "after %,d sagas, %,d kept: %,d kB:%s%n", hour * SAGAS_AN_HOUR, KEPT, all / 1024, told);
    return all;
  }
}
