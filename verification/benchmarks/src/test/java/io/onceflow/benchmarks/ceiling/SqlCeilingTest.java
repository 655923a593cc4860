package io.onceflow.benchmarks.ceiling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onceflow.benchmarks.sql.DatabaseServer;
import io.onceflow.benchmarks.sql.EmbeddedDatabases;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("nightly")
class SqlCeilingTest {

  private static final String ID = "01a1fe03-2c39-70fc-b40b-6538617977d9";
  private static final String TOKEN = Long.toString(ParameterTemplate.GIVEN_NUMBERS_FROM + 1);
  private static final Duration SHORT = Duration.ofMillis(300);

  private static final RecordedStatement CLAIM =
      statement(
          1,
          "INSERT INTO claim (id, at) VALUES ($1, $2) RETURNING fencing_token",
          ID,
          "2026-11-21 12:44:14.086+00");

  private static final RecordedStatement COMPLETE =
      statement(
          2,
          "UPDATE claim SET note = $1 WHERE id = ANY ($2::uuid[]) AND fencing_token = $3",
          null,
          "{" + ID + "}",
          TOKEN);

  private static final RecordedStatement PAY =
      statement(3, "INSERT INTO payment VALUES ($1)", "ch_" + ID.replace("-", ""));

  private static EmbeddedDatabases databases;
  private static DatabaseServer server;

  @BeforeAll
  static void startPostgres() throws Exception {
    databases = new EmbeddedDatabases();
    server = databases.server();
  }

  @AfterAll
  static void stopPostgres() {
    databases.close();
  }

  @BeforeEach
  void makeTables() throws Exception {
    server.execute(
        "orders",
        "DROP TABLE IF EXISTS claim",
        "CREATE TABLE claim (id uuid PRIMARY KEY, at timestamptz, note text,"
            + " fencing_token bigint GENERATED ALWAYS AS IDENTITY (START WITH 100))");
    server.execute(
        "payments",
        "DROP TABLE IF EXISTS payment",
        "CREATE TABLE payment (reference text PRIMARY KEY)");
  }

  @Test
  void replaysTheSagaUnderNewIdsAndCounts() throws Exception {
    Ceiling ceiling = measure(List.of(CLAIM, COMPLETE), Map.of(1L, 1L, 2L, 1L, 3L, 1L));

    assertThat(ceiling.sagasPerSecond()).containsOnlyKeys(1, 3);
    assertThat(ceiling.best()).isPositive();
    assertThat(ceiling.statements()).isEqualTo(3);
    assertThat(ceiling.transactions()).isEqualTo(2);
    String claims = server.ask("orders", "SELECT count(*) FROM claim WHERE id <> '" + ID + "'");
    assertThat(claims).isEqualTo(server.ask("payments", "SELECT count(*) FROM payment"));
    assertThat(Integer.parseInt(claims)).isGreaterThan(1);
  }

  @Test
  void failsWhenAStatementHitsOtherRowsThanWhenItWasRecorded() {
    assertThatThrownBy(() -> measure(List.of(CLAIM, COMPLETE), Map.of(1L, 1L, 2L, 2L)))
        .isInstanceOf(RowsDiffer.class)
        .hasMessageContaining("UPDATE claim");
  }

  @Test
  void failsWhenAWriteHitsNothingAndTheRecordedRowsWereNotCounted() {
    RecordedStatement stale =
        statement(2, "UPDATE claim SET note = $1 WHERE fencing_token = $2", "x", "9");

    assertThatThrownBy(() -> measure(List.of(CLAIM, stale), Map.of()))
        .isInstanceOf(RowsDiffer.class)
        .hasMessageContaining("0 rows, not at least one: UPDATE claim");
  }

  private static Ceiling measure(List<RecordedStatement> first, Map<Long, Long> rows)
      throws Exception {
    RecordedSaga saga =
        new RecordedSaga(
            List.of(
                new RecordedStep("POST", "orders", first),
                new RecordedStep("payment", "payments", List.of(PAY))));
    return SqlCeiling.measure(
        new Recording(saga, rows), server, SHORT, List.of(1, 3), progress -> {});
  }

  private static RecordedStatement statement(long id, String sql, String... parameters) {
    return new RecordedStatement(sql, Arrays.asList(parameters), id);
  }
}
