package io.onceflow.stripe;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.participant.CallKey;
import io.onceflow.participant.PendingSteps;
import io.onceflow.sql.Sql;
import io.onceflow.test.TestPostgres;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.UUID;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

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

  private final CallKey key = TestStripe.newKey();
  private final StripeEvents events = new StripeEvents(DATABASE, new PendingSteps(DATABASE));
  private final String intent = "pi_" + UUID.randomUUID();

  @BeforeEach
  void rest() throws SQLException {
    new StripeRequests(DATABASE).ask(key, "order");
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
        "succeeded",
        Instant.now());
  }
}
