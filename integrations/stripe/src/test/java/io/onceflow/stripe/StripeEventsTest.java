package io.onceflow.stripe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onceflow.participant.CallKey;
import io.onceflow.participant.PendingSteps;
import io.onceflow.sql.Sql;
import io.onceflow.test.TestPostgres;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.UUID;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What an event does to the step that waits for it. */
class StripeEventsTest {

  private static final DataSource DATABASE =
      TestPostgres.database("stripe_events", "db/onceflow/stripe");

  private static final String REST =
      """
      INSERT INTO inbox_message
             (scope, step_key, fingerprint, status, lease_expires_at, envelope, pending_since, pending_token)
      VALUES (?, ?, '', 'STARTED', now() + interval '1 hour', '{}', now(), 1)
      """;

  private static final String REFUSE_WHEN_COMMITTED =
      """
      DROP TRIGGER IF EXISTS refuse_when_committed ON stripe_event;
      CREATE OR REPLACE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN RAISE EXCEPTION 'not kept'; END $$;
      CREATE CONSTRAINT TRIGGER refuse_when_committed
      AFTER INSERT ON stripe_event DEFERRABLE INITIALLY DEFERRED
      FOR EACH ROW WHEN (NEW.id = '%s') EXECUTE FUNCTION refuse()
      """;

  private final CallKey key = TestStripe.newKey();
  private final StripeEvents events = new StripeEvents(DATABASE, new PendingSteps(DATABASE));
  private final String intent = "pi_" + UUID.randomUUID();

  @BeforeEach
  void rest() throws SQLException {
    new StripeRequests(DATABASE).ask(key, "order", TestStripe.MONEY);
    new StripeRequests(DATABASE).waitFor(key, intent);
    try (Connection connection = DATABASE.getConnection()) {
      Sql.update(connection, REST, key.scope(), key.stepKey());
    }
  }

  @Test
  void wakesTheStepThatWaitsForThePayment() throws SQLException {
    assertThat(events.take(event("payment_intent.succeeded", key))).contains(true);
    assertThat(isDue()).isTrue();
  }

  @Test
  void wakesNothingForAnEventThatWasKeptBefore() throws SQLException {
    StripeEvent event = event("payment_intent.succeeded", key);
    events.take(event);
    try (Connection connection = DATABASE.getConnection()) {
      Sql.update(
          connection,
          "UPDATE inbox_message SET lease_expires_at = now() + interval '1 hour' WHERE scope = ?"
              + " AND step_key = ?",
          key.scope(),
          key.stepKey());
    }

    assertThat(events.take(event)).isEmpty();
    assertThat(isDue()).isFalse();
  }

  @Test
  void leavesOtherStepsAlone() throws SQLException {
    assertThat(events.take(event("payment_intent.succeeded", TestStripe.newKey()))).contains(false);
    assertThat(events.take(event("refund.created", key))).contains(true);
    assertThat(isDue()).isFalse();
  }

  /** Events come in any order. */
  @Test
  void knowsADisputeThatCameBeforeTheFirstEventOfItsPayment() throws SQLException {
    StripeEvent dispute = about("charge.dispute.created", "dp_1", null, "needs_response", false);
    assertThat(events.take(dispute)).contains(false);

    events.take(about("payment_intent.succeeded", intent, key, "succeeded", false));

    try (Connection connection = DATABASE.getConnection()) {
      assertThat(
              Sql.query(
                  connection,
                  "SELECT known FROM stripe_event WHERE id = ?",
                  row -> row.truth("known"),
                  dispute.id()))
          .containsExactly(true);
    }
  }

  @Test
  void takesNoEventOfAnotherAccountOrModeAsItsOwn() throws SQLException {
    assertThat(events.take(about("payment_intent.succeeded", intent, key, "succeeded", true)))
        .contains(false);
    assertThat(isDue()).isFalse();
  }

  /** A refund that was pending or succeeded may fail days later. */
  @ParameterizedTest
  @CsvSource({"refund.failed, failed", "refund.updated, canceled", "charge.refund.updated, failed"})
  void showsARefundThatFailsLater(String type, String status) throws SQLException {
    StripeRefundTable table = new StripeRefundTable(DATABASE);
    CallKey refund = key.sibling("refund-payment");
    StripeRefundTable.Stored asked = table.begin(refund.value(), "order", intent);
    StripeEvent failed = about(type, "re_1", refund, status, false);

    assertThat(events.take(failed)).contains(true);
    table.succeeded(asked, "re_1"); // the answer to its request comes later

    assertThat(table.find(refund.value()))
        .hasValueSatisfying(it -> assertThat(it.failedRefund()).isEqualTo("re_1"));
    assertThat(table.open()).anyMatch(it -> it.key().equals(refund.value()));
  }

  private StripeEvent about(
      String type, String object, @Nullable CallKey of, String status, boolean isElsewhere) {
    return new StripeEvent(
        "evt_" + UUID.randomUUID(),
        type,
        object,
        intent,
        of == null ? null : of.value(),
        "order",
        status,
        null,
        isElsewhere,
        Instant.now());
  }

  /** The event is refused when it is committed, and Stripe will send it again. */
  @Test
  void wakesNothingForAnEventThatIsNotKept() throws SQLException {
    StripeEvent event = event("payment_intent.succeeded", key);
    execute(REFUSE_WHEN_COMMITTED.formatted(event.id()));

    assertThatThrownBy(() -> events.take(event)).isInstanceOf(IllegalStateException.class);
    assertThat(isDue()).isFalse();
  }

  @Test
  void keepsNoEventThatItCannotWakeTheStepFor() throws SQLException {
    StripeEvent event = event("payment_intent.succeeded", key);
    execute("ALTER TABLE inbox_message RENAME TO inbox_away");
    try {
      assertThatThrownBy(() -> events.take(event)).isInstanceOf(IllegalStateException.class);
    } finally {
      execute("ALTER TABLE inbox_away RENAME TO inbox_message");
    }

    assertThat(events.take(event)).as("sent again").contains(true);
    assertThat(isDue()).isTrue();
  }

  private static void execute(String sql) throws SQLException {
    try (Connection connection = DATABASE.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private boolean isDue() throws SQLException {
    try (Connection connection = DATABASE.getConnection()) {
      Instant lease =
          Sql.find(
                  connection,
                  "SELECT lease_expires_at FROM inbox_message WHERE scope = ? AND step_key = ?",
                  row -> Objects.requireNonNull(row.time("lease_expires_at")),
                  key.scope(),
                  key.stepKey())
              .orElseThrow();
      return lease.isBefore(Instant.now().plus(Duration.ofMinutes(30)));
    }
  }

  private StripeEvent event(String type, CallKey about) {
    return new StripeEvent(
        "evt_" + UUID.randomUUID(),
        type,
        intent,
        "pi_" + UUID.randomUUID(),
        about.value(),
        "order",
        "succeeded",
        null,
        false,
        Instant.now());
  }
}
