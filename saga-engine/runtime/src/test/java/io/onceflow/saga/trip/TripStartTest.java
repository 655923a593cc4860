package io.onceflow.saga.trip;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.onceflow.core.IdempotencyKey;
import io.onceflow.launcher.testing.ServersResource;
import io.onceflow.outbox.internal.JtaUnitOfWork;
import io.onceflow.saga.Sagas;
import io.onceflow.saga.Sagas.SagaStart;
import io.onceflow.sql.Sql;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.common.ResourceArg;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How a saga about a JPA entity is started, and how it is not. */
@QuarkusTest
@QuarkusTestResource(
    value = ServersResource.class,
    initArgs = @ResourceArg(name = "database", value = "shipping"))
class TripStartTest {

  @Inject DataSource database;
  @Inject Sagas sagas;
  @Inject JtaUnitOfWork transactions;

  private final String key = "key-" + UUID.randomUUID();

  /** Seen red: nothing said that the annotation is missing. */
  @Test
  void isNotStartedWithoutAKey() {
    String sentence = "BookTrip is started without a key: this is no method that answers a request";
    assertThatIllegalStateException()
        .isThrownBy(() -> sagas.start(BookTrip.class, new Trip()))
        .withMessageContaining(sentence);
    assertThatExceptionOfType(CompletionException.class)
        .as("on a thread without a request")
        .isThrownBy(
            () -> CompletableFuture.runAsync(() -> sagas.start(BookTrip.class, new Trip())).join())
        .withCauseInstanceOf(IllegalStateException.class)
        .withMessageContaining(sentence);
  }

  /**
   * Seen red: both had the step keys of one, and participants took the commands of the second for
   * repeats.
   */
  @Test
  void hasItsOwnStepKeysWhereSeveralAreStartedTogetherUnderOneKey() throws SQLException {
    List<SagaStart<Trip>> starts = List.of(startOf(new Trip()), startOf(new Trip()));

    transactions.call(tx -> sagas.start(tx, BookTrip.class, starts));

    List<String> roots = new ArrayList<>();
    for (SagaStart<Trip> start : starts) {
      roots.add(stored("root_key", start));
    }
    assertThat(roots).first().isEqualTo(key);
    assertThat(roots).doesNotHaveDuplicates();
  }

  /** A key is no guard: what is to be started once has one subject. */
  @Test
  void isStartedAgainUnderAKeyThatASagaHasUsed() throws SQLException {
    SagaStart<Trip> first = startOf(new Trip());
    SagaStart<Trip> second = startOf(new Trip());
    transactions.call(tx -> sagas.start(BookTrip.class, first));

    UUID saga = transactions.call(tx -> sagas.start(BookTrip.class, second));

    assertThat(stored("root_key", first)).isEqualTo(key);
    assertThat(stored("root_key", second)).isEqualTo(key + "~" + saga);
  }

  /** Seen red: both had the step keys of one, as neither transaction saw the other's saga. */
  @Test
  void hasItsOwnStepKeysWhereAnotherTransactionStartsOneUnderItsKey() throws SQLException {
    SagaStart<Trip> first = startOf(new Trip());
    SagaStart<Trip> second = startOf(new Trip());

    transactions
        .call(
            tx -> {
              sagas.start(BookTrip.class, first);
              CompletableFuture<UUID> meanwhile =
                  CompletableFuture.supplyAsync(() -> start(second));
              await().until(() -> meanwhile.isDone() || waitingForAKey() > 0);
              return meanwhile;
            })
        .join();

    assertThat(stored("root_key", first)).isEqualTo(key);
    assertThat(stored("root_key", second)).startsWith(key + "~");
  }

  private UUID start(SagaStart<Trip> start) {
    try {
      return transactions.call(tx -> sagas.start(BookTrip.class, start));
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private long waitingForAKey() throws SQLException {
    try (Connection connection = database.getConnection()) {
      String waiting =
          """
          SELECT count(*) AS waiting
          FROM   pg_locks
          JOIN   pg_database ON pg_database.oid = pg_locks.database
          WHERE  datname = current_database() AND locktype = 'advisory' AND NOT granted
          """;
      return Sql.query(connection, waiting, row -> row.bigint("waiting")).getFirst();
    }
  }

  @Test
  void isNotStartedTwiceAboutOneEntity() {
    SagaStart<Trip> start = startOf(new Trip());
    assertThatThrownBy(
            () ->
                transactions.call(
                    tx -> {
                      sagas.start(BookTrip.class, start);
                      return sagas.start(BookTrip.class, start);
                    }))
        .hasMessageContaining(
            "BookTrip could not be started: there is a saga of this definition about the subject"
                + " already");
  }

  /** Seen red: it was started, participants parked each of its commands, and it ended as STUCK. */
  @ParameterizedTest
  @ValueSource(strings = {"", " ", "line\nbreak"})
  void isNotStartedInAScopeThatParticipantsRefuse(String scope) {
    IdempotencyKey any = new IdempotencyKey(key);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new SagaStart<>(new Trip(), scope, any, null))
        .withMessageContaining("participants take 1 to 512 printable ones");
  }

  /** Seen red: participants parked its commands. */
  @Test
  void isStartedWithoutATraceContextThatIsMalformed() throws SQLException {
    SagaStart<Trip> start =
        new SagaStart<>(new Trip(), "ada", new IdempotencyKey(key), "00-".repeat(200));

    transactions.call(tx -> sagas.start(BookTrip.class, start));

    assertThat(stored("traceparent", start)).isNull();
  }

  private SagaStart<Trip> startOf(Trip trip) {
    return new SagaStart<>(trip, "ada", new IdempotencyKey(key), null);
  }

  private @Nullable String stored(String column, SagaStart<Trip> start) throws SQLException {
    try (Connection connection = database.getConnection()) {
      String sql = "SELECT %s AS stored FROM saga_instance WHERE subject_id = ?".formatted(column);
      return Sql.query(connection, sql, row -> row.text("stored"), start.subject().id).getFirst();
    }
  }
}
