package com.example.giftcards;

import static com.example.giftcards.Till.cents;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.example.giftcards.Till.Answer;
import io.onceflow.launcher.testing.TestServers;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The application is killed in the midst of a request and started again: there is one effect. */
@Tag("packaged")
@Timeout(300)
class KillTest {

  private static final TestServers SERVERS = TestServers.shared();
  private static final String TILL = "north/1";

  private final String key = UUID.randomUUID().toString();
  private FakeBank bank;
  private PackagedApplication application;
  private Till till;

  @BeforeEach
  void start() throws Exception {
    bank = new FakeBank();
    restart();
  }

  @AfterEach
  void stop() {
    application.close();
    bank.close();
  }

  /** A short lease, so that the test need not wait for it. */
  private void restart() {
    application =
        new PackagedApplication(
            Map.of(
                "BANK_URL", bank.url().toString(),
                "ONCEFLOW_IDEMPOTENCY_LEASE", "PT3S",
                "ONCEFLOW_IDEMPOTENCY_RECOVERY_GRACE", "PT1S",
                "ONCEFLOW_IDEMPOTENCY_RECOVERY_INTERVAL", "PT1S"));
    till = new Till(application.url(), TILL);
  }

  @Test
  @Tag("nightly")
  void takesTheCardOnceWhenKilledWithinTheTransaction() throws Exception {
    String code = till.buyCard(5000);
    String redemptions = "/gift-cards/" + code + "/redemptions";
    try (Connection other = connect()) {
      other.setAutoCommit(false);
      Rows.run(other, "SELECT FROM gift_card FOR UPDATE");
      till.begin(redemptions, key, cents(1200));
      patiently().until(KillTest::isSomebodyWaitingForALock);
      application.kill();
      other.rollback();
    }
    restart();
    assertThat(till.balance(code)).as("nothing is left of the killed run").isEqualTo(5000);
    Answer repeat = till.post(redemptions, key, cents(1200));
    assertThat(repeat.status()).isEqualTo(200);
    assertThat(repeat.isReplayed()).isFalse();
    assertThat(till.post(redemptions, key, cents(1200)).isReplayed()).isTrue();
    assertThat(till.balance(code)).isEqualTo(3800);
  }

  @Test
  @Tag("nightly")
  void tellsAfterwardsWhatWasCommittedBeforeItWasKilled() {
    Answer first = till.post("/gift-cards", key, cents(5000));
    application.kill();
    restart();
    Answer repeat = till.post("/gift-cards", key, cents(5000));
    assertThat(repeat.isReplayed()).isTrue();
    assertThat(repeat.body()).isEqualTo(first.body());
  }

  @Test
  void chargesOnceWhenKilledBetweenTheCallAndItsRecord() {
    String code = till.buyCard(100);
    String topUps = "/gift-cards/" + code + "/top-ups";
    bank.holdAnswers();
    till.begin(topUps, key, cents(900));
    patiently().until(() -> bank.charges() == 1);
    application.kill();
    bank.letAnswersGo();
    restart();
    assertThat(till.balance(code)).as("charged, and not recorded yet").isEqualTo(100);
    patiently().until(() -> till.post(topUps, key, cents(900)).status() == 200);
    assertThat(till.post(topUps, key, cents(900)).isReplayed()).isTrue();
    assertThat(till.balance(code)).isEqualTo(1000);
    assertThat(bank.charges()).isEqualTo(1);
    assertThat(bank.calls()).as("the second call found the first").isGreaterThanOrEqualTo(2);
  }

  @Test
  @Tag("nightly")
  void printsTheRestByItselfWhenKilledInTheBackground() throws Exception {
    String order = "{\"cards\":1000,\"cents\":500}";
    try (Connection other = connect()) {
      jamThePrinterAt(300, other);
      assertThat(till.post("/card-batches", key, order).status()).isEqualTo(202);
      patiently().until(KillTest::isSomebodyWaitingForALock);
      application.kill();
      repairThePrinter(other);
      assertThat(printed(other)).isEqualTo(300);
      restart();
      patiently().until(() -> printed(other) == 1000);
      patiently().until(() -> till.post("/card-batches", key, order).status() == 201);
      assertThat(printed(other)).isEqualTo(1000);
    }
  }

  /** Prints beyond this number wait until the printer is repaired. */
  private static void jamThePrinterAt(int cards, Connection other) {
    Rows.run(
        other,
        """
        CREATE FUNCTION jam() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
          IF (SELECT count(*) FROM gift_card WHERE batch IS NOT NULL) >= %d THEN
            PERFORM pg_advisory_xact_lock(1);
          END IF;
          RETURN NULL;
        END $$;
        CREATE TRIGGER jam BEFORE INSERT ON gift_card FOR EACH STATEMENT EXECUTE FUNCTION jam();
        SELECT pg_advisory_lock(1);
        """
            .formatted(cards));
  }

  private static void repairThePrinter(Connection other) {
    Rows.run(other, "SELECT pg_advisory_unlock(1)");
    // Waits for what the killed process left behind in the database to be rolled back.
    Rows.run(other, "DROP TRIGGER jam ON gift_card");
  }

  private static long printed(Connection connection) {
    return Rows.number(connection, "SELECT count(*) FROM gift_card WHERE batch IS NOT NULL");
  }

  private static boolean isSomebodyWaitingForALock() throws SQLException {
    try (Connection connection = connect()) {
      return Rows.number(
              connection,
              "SELECT count(*) FROM pg_stat_activity"
                  + " WHERE datname = current_database() AND wait_event_type = 'Lock'")
          > 0;
    }
  }

  private static Connection connect() throws SQLException {
    return DriverManager.getConnection(
        SERVERS.jdbcUrl("orders"), SERVERS.user("orders"), SERVERS.password());
  }

  private static ConditionFactory patiently() {
    return await().atMost(Duration.ofMinutes(1));
  }
}
