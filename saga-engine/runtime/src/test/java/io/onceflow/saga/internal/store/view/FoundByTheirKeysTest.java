package io.onceflow.saga.internal.store.view;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.onceflow.saga.internal.store.SagaDatabase;
import io.onceflow.sql.Column;
import io.onceflow.sql.Sql;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What is asked for some sagas reads no table from end to end, by the views neither. */
class FoundByTheirKeysTest {

  private static final UUID SAGA = UUID.randomUUID();

  @BeforeAll
  static void emptyDatabase() {
    SagaDatabase.makeAnew();
  }

  static Stream<Arguments> queries() {
    Column definitions = Column.texts(List.of("place-order"));
    Column times = Column.times(List.of(Instant.EPOCH), it -> it);
    return Stream.of(
        arguments("SELECT * FROM saga_history WHERE saga_id = ?", new Object[] {SAGA}),
        arguments("SELECT * FROM saga_step WHERE saga_id = ?", new Object[] {SAGA}),
        arguments(SagaCounts.OPEN, new Object[] {definitions, times}),
        arguments(SagaCounts.BY_STEP, new Object[] {definitions, times, 1000}));
  }

  @ParameterizedTest
  @MethodSource("queries")
  void readsNoTableFromEndToEnd(String query, Object[] parameters) throws SQLException {
    List<String> plan =
        SagaDatabase.inTransaction(
            tx -> {
              // What is left is all that is possible.
              Sql.update(tx, "SET LOCAL enable_seqscan = off");
              return Sql.query(tx, "EXPLAIN " + query, row -> row.text("QUERY PLAN"), parameters);
            });

    assertThat(plan).isNotEmpty().noneMatch(line -> line.contains("Seq Scan"));
  }
}
