package io.onceflow.quarkus.trip;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.onceflow.rabbitmq.internal.BrokerConfig;
import io.onceflow.sql.Sql;
import io.quarkus.test.QuarkusUnitTest;
import jakarta.inject.Inject;
import jakarta.persistence.EntityManager;
import jakarta.transaction.UserTransaction;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A team's participants: beans and records are all that there is. */
class ParticipantTest {

  @RegisterExtension
  static final QuarkusUnitTest APPLICATION =
      TripApplication.on("payments")
          .withApplicationRoot(
              jar ->
                  jar.addPackage(ParticipantTest.class.getPackage())
                      .addAsResource(
                          "V1__create_account.sql", "db/migration/V1__create_account.sql"));

  @Inject Airline airline;
  @Inject EntityManager entities;
  @Inject UserTransaction transaction;
  @Inject DataSource database;
  @Inject Clock clock;
  @Inject BrokerConfig broker;

  private final UUID trip = UUID.randomUUID();
  private Orchestrator saga;

  @BeforeEach
  void connect() throws Exception {
    saga = new Orchestrator();
  }

  @AfterEach
  void close() {
    saga.close();
  }

  @Test
  void carriesOutACommandOnceHoweverOftenItComes() {
    assertThat(reserve("OF 1")).isEqualTo("FlightReserved done");
    String first = saga.lastBody();
    assertThat(reserve("OF 1")).isEqualTo("FlightReserved done");
    assertThat(saga.lastBody()).isEqualTo(first).contains("\"reference\":\"seat-");
    assertThat(saga.lastRoutingKey()).isEqualTo("us.trips");
  }

  @Test
  void undoesWhatWasDoneAndAnswersWithAnEmptyBody() {
    reserve("OF 2");
    assertThat(cancel()).isEqualTo("StepDone done");
    assertThat(saga.lastBody()).isEqualTo("{}");
    assertThat(airline.annulled())
        .anyMatch(it -> it.matches("reserve-flight-\\w{64} by cancel-flight-\\w{64}"));
  }

  @Test
  void undoesNothingThatWasRefused() {
    int before = airline.annulled().size();
    assertThat(reserve("FULL")).isEqualTo("FlightRefused refused");
    assertThat(cancel()).isEqualTo("StepDone done");
    assertThat(airline.annulled()).hasSize(before);
  }

  @Test
  void cancelsAnActionThatComesAfterItsCompensation() {
    assertThat(cancel()).isEqualTo("StepDone done");
    assertThat(reserve("OF 3")).isEqualTo("StepCancelled cancelled");
  }

  @Test
  void savesTheEntityThatItDecidesOnInTheStepsTransaction() throws Exception {
    UUID account = account(5);
    String award = "{\"accountId\":\"%s\",\"points\":10}".formatted(account);
    for (int i = 0; i < 3; i++) {
      assertThat(saga.ask("AwardPoints", "loyalty.award", award)).isEqualTo("PointsAwarded done");
      assertThat(saga.lastBody()).contains("\"balance\":15");
    }
    assertThat(points(account)).isEqualTo(15);
    String revoke = "{\"accountId\":\"%s\"}".formatted(account);
    assertThat(saga.ask("RevokePoints", "loyalty.revoke", revoke)).isEqualTo("StepDone done");
    assertThat(points(account)).isZero();
  }

  @Test
  void refusesWhereThereIsNoEntity() {
    String award = "{\"accountId\":\"%s\",\"points\":10}".formatted(trip);
    assertThat(saga.ask("AwardPoints", "loyalty.award", award)).isEqualTo("StepRefused refused");
  }

  /** Before anything is done; the values are not repeated, since they may be personal data. */
  @Test
  void parksACommandThatViolatesItsConstraints() throws Exception {
    UUID account = account(5);
    String award = "{\"accountId\":\"%s\",\"points\":-3,\"more\":[{\"why\":\" \"}]}";
    saga.send("AwardPoints", "loyalty.award", award.formatted(account));
    await().atMost(Duration.ofSeconds(30)).until(() -> parked().size() == 1);
    assertThat(parked())
        .containsExactly(
            "malformed: the payload is no AwardPoints: more[0].why must not be blank, points must"
                + " be greater than 0");
    assertThat(points(account)).isEqualTo(5);
  }

  private List<String> parked() throws SQLException {
    try (Connection connection = database.getConnection()) {
      return Sql.query(
          connection,
          """
          SELECT reason || ': ' || detail AS why
          FROM   parked_message
          WHERE  headers ->> 'x-idempotency-key' = ?
          """,
          row -> row.text("why"),
          saga.root());
    }
  }

  @Test
  void datesByTheClockOfTheApplicationWhereThereIsOne() {
    assertThat(clock).isSameAs(TripClock.CLOCK);
  }

  /** A known default: it looks for the exchange at start, and its user may send no more. */
  @Test
  void sendsNothingButReplies() {
    assertThat(broker.sends()).isEqualTo(Map.of("replies", List.of("*.trips")));
  }

  @Test
  void keepsTheHistoriesOfItsMigrationsApart() throws Exception {
    assertThat(Histories.of(database, "onceflow_schema_history")).contains("0.2.1", "0.3.1");
    assertThat(Histories.of(database, "flyway_schema_history")).containsExactly("1");
  }

  private String reserve(String flight) {
    return saga.ask(
        "ReserveFlight",
        "flight.reserve",
        "{\"tripId\":\"%s\",\"flight\":\"%s\"}".formatted(trip, flight));
  }

  private String cancel() {
    return saga.ask("CancelFlight", "flight.cancel", "{\"tripId\":\"%s\"}".formatted(trip));
  }

  private UUID account(int points) throws Exception {
    Account account = new Account();
    account.id = UUID.randomUUID();
    account.points = points;
    transaction.begin();
    entities.persist(account);
    transaction.commit();
    return account.id;
  }

  private int points(UUID account) throws Exception {
    transaction.begin();
    try {
      return entities.find(Account.class, account).points;
    } finally {
      transaction.rollback();
    }
  }
}
