package io.onceflow.saga.trip;

import static io.onceflow.saga.Sagas.SignalOutcome.KEPT;
import static io.onceflow.saga.Sagas.SignalOutcome.NOT_AWAITED;
import static io.onceflow.saga.Sagas.SignalOutcome.REPEATED;
import static io.onceflow.saga.Sagas.SignalOutcome.TAKEN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onceflow.core.IdempotencyKey;
import io.onceflow.launcher.testing.ServersResource;
import io.onceflow.outbox.internal.JtaUnitOfWork;
import io.onceflow.saga.Saga.StepStatus;
import io.onceflow.saga.SagaView;
import io.onceflow.saga.SagaView.Hold;
import io.onceflow.saga.Sagas;
import io.onceflow.saga.Sagas.SagaStart;
import io.onceflow.saga.Sagas.SignalOutcome;
import io.onceflow.saga.internal.store.hold.HeldSagas;
import io.onceflow.saga.trip.Messages.ContractSigned;
import io.onceflow.sql.Sql;
import io.quarkiverse.resteasy.problem.HttpProblem;
import io.quarkus.narayana.jta.QuarkusTransaction;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.common.ResourceArg;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import jakarta.persistence.EntityManager;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Events that the application reports to its sagas, in its own transactions. */
@QuarkusTest
@QuarkusTestResource(
    value = ServersResource.class,
    initArgs = @ResourceArg(name = "database", value = "shipping"))
class TripSignalTest {

  private static final ContractSigned CONTRACT = new ContractSigned("ada");

  @Inject Sagas sagas;
  @Inject JtaUnitOfWork transactions;
  @Inject EntityManager entities;
  @Inject DataSource database;

  private final UUID trip = UUID.randomUUID();

  @BeforeEach
  void start() {
    Trip booked = new Trip();
    booked.id = trip;
    IdempotencyKey key = new IdempotencyKey("key-" + trip);
    QuarkusTransaction.requiringNew()
        .call(() -> sagas.start(BookGroup.class, new SagaStart<>(booked, "ada", key, null)));
  }

  @Test
  void isTakenOnceUnderItsKey() {
    assertThat(signal("deposit-paid", null, "k1")).contains(TAKEN);
    SagaView after = saga();

    assertThat(signal("deposit-paid", null, "k1")).contains(REPEATED);
    assertThat(signal("deposit-paid", null, "k2")).contains(NOT_AWAITED);

    assertThat(saga()).isEqualTo(after);
    assertThat(status("deposit-paid")).isEqualTo(StepStatus.SUCCEEDED);
    assertThat(status("contract-signed")).isEqualTo(StepStatus.AWAITING);
  }

  @Test
  void isKeptUntilItsSagaWaitsForItAndThenChangesTheSubject() {
    assertThat(signal("contract-signed", CONTRACT, "k1")).contains(KEPT);
    assertThat(signal("contract-signed", CONTRACT, "k1")).contains(REPEATED);
    assertThat(signal("contract-signed", new ContractSigned("bob"), "k2")).contains(NOT_AWAITED);
    assertThat(reference()).isNull();
    assertThat(saga().toString())
        .as("what viewers may see")
        .doesNotContain("ContractSigned", "\"by\"");

    signal("deposit-paid", null, "k3");

    assertThat(reference()).isEqualTo("ada");
    assertThat(status("credit")).isEqualTo(StepStatus.AWAITING);
    assertThat(signal("contract-signed", CONTRACT, "k1")).contains(REPEATED);
  }

  /** The timer of the wait before is three hours later: kept, this one would end with it. */
  @Test
  void setsTheTimerOfAWaitThatEndsAnHourBeforeThatOfTheLast() throws SQLException {
    signal("deposit-paid", null, "k1");
    signal("contract-signed", CONTRACT, "k2");

    assertThat(status("credit")).isEqualTo(StepStatus.AWAITING);
    String late =
        """
        SELECT next_action_at > now() + interval '24 hours 1 minute' AS late
        FROM   saga_instance
        WHERE  subject_id = ?
        """;
    try (Connection connection = database.getConnection()) {
      assertThat(Sql.query(connection, late, row -> row.truth("late"), trip))
          .containsExactly(false);
    }
  }

  @Test
  void isNotAwaitedBySagasThatAreUndone() {
    QuarkusTransaction.requiringNew()
        .call(() -> sagas.cancel(BookGroup.class, trip, "NO_TIME", "ada"));

    assertThat(signal("deposit-paid", null, "k1")).contains(NOT_AWAITED);
    assertThat(signal("contract-signed", CONTRACT, "k1")).contains(NOT_AWAITED);
  }

  /** It would move the saga, and send what comes next. */
  @Test
  void isRefusedWhileItsSagaIsOnHold() throws SQLException {
    List<UUID> held = List.of(saga().id());
    Hold hold = new Hold(Instant.EPOCH, "olga", "a dispute", null, false);
    transactions.call(tx -> HeldSagas.hold(tx.connection(), held, hold));

    assertThatExceptionOfType(HttpProblem.class)
        .isThrownBy(() -> signal("deposit-paid", null, "k1"))
        .withMessageContaining("on hold");
    assertThat(status("deposit-paid")).isEqualTo(StepStatus.AWAITING);

    transactions.call(tx -> HeldSagas.resume(tx.connection(), held, "settled"));
    assertThat(signal("deposit-paid", null, "k1")).contains(TAKEN);
  }

  @Test
  void comesToNothingInATransactionThatIsRolledBack() {
    assertThatIllegalStateException()
        .isThrownBy(
            () ->
                QuarkusTransaction.requiringNew()
                    .run(
                        () -> {
                          sagas.signal(BookGroup.class, trip, "deposit-paid", null, "k1");
                          throw new IllegalStateException("after the signal");
                        }));

    assertThat(signal("deposit-paid", null, "k1")).contains(TAKEN);
  }

  @Test
  void isTakenInAnOpenTransaction() throws SQLException {
    Optional<SignalOutcome> taken =
        transactions.call(
            tx -> sagas.signal(tx, BookGroup.class, trip, "deposit-paid", null, "k1"));

    assertThat(taken).contains(TAKEN);
    assertThat(status("deposit-paid")).isEqualTo(StepStatus.SUCCEEDED);
  }

  @Test
  void findsNoSagaAboutWhatNoneIsAbout() {
    assertThat(
            QuarkusTransaction.requiringNew()
                .call(
                    () ->
                        sagas.signal(
                            BookGroup.class, UUID.randomUUID(), "deposit-paid", null, "k")))
        .isEmpty();
  }

  @Test
  void needsATransaction() {
    assertThatIllegalStateException()
        .isThrownBy(() -> sagas.signal(BookGroup.class, trip, "deposit-paid", null, "k1"));
  }

  @Test
  void saysWhichEventsThereAre() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> signal("contract-sined", CONTRACT, "k1"))
        .withMessage(
            "book-group waits for no event contract-sined; it waits for: deposit-paid,"
                + " contract-signed");
    assertThatIllegalArgumentException()
        .as("an approval is given by an operator")
        .isThrownBy(() -> signal("credit", null, "k1"));
  }

  @Test
  void hasThePayloadOfTheDefinition() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> signal("contract-signed", null, "k1"))
        .withMessage(
            "the event contract-signed has ContractSigned as its payload, and was told with"
                + " nothing");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> signal("deposit-paid", CONTRACT, "k1"))
        .withMessage(
            "the event deposit-paid has nothing as its payload, and was told with ContractSigned");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> signal("contract-signed", new ContractSigned("x".repeat(16_384)), "k"))
        .withMessageContaining("longer than 16384 bytes");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> signal("contract-signed", new ContractSigned("\0"), "k1"))
        .withMessageContaining("NUL");
    assertThatThrownBy(() -> signal("contract-signed", CONTRACT, ""))
        .hasMessageContaining("it is empty");
  }

  private Optional<SignalOutcome> signal(String event, @Nullable Record payload, String key) {
    return QuarkusTransaction.requiringNew()
        .call(() -> sagas.signal(BookGroup.class, trip, event, payload, key));
  }

  private SagaView saga() {
    return QuarkusTransaction.requiringNew()
        .call(() -> sagas.about(BookGroup.class, trip).orElseThrow());
  }

  private StepStatus status(String step) {
    return saga().steps().stream()
        .filter(it -> it.name().equals(step))
        .findFirst()
        .orElseThrow()
        .status();
  }

  private @Nullable String reference() {
    return QuarkusTransaction.requiringNew().call(() -> entities.find(Trip.class, trip).reference);
  }
}
