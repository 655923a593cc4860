package io.onceflow.idempotency;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.idempotency.Caller.Answer;
import io.onceflow.idempotency.internal.store.IdempotencyCleanup;
import io.onceflow.launcher.testing.ServersResource;
import io.quarkus.test.common.ResourceArg;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Test;

/** DESIGN §3: expired, 24 hours by default: as new. */
@QuarkusTest
@WithTestResource(
    value = ServersResource.class,
    initArgs = @ResourceArg(name = "database", value = "orders"))
class GuardForgetsTest extends GuardedThings {

  @Inject IdempotencyCleanup cleanup;

  @Test
  void runsARequestWhoseAnswerHasExpiredAsNew() {
    Answer first = ada.post("/things", key, body);
    expire();
    Answer second = ada.post("/things", key, body);
    assertThat(second.isReplay()).isFalse();
    assertThat(second.bytes()).isNotEqualTo(first.bytes());
    assertThat(ada.post("/things", key, body).bytes()).isEqualTo(second.bytes());
    assertThat(things()).isEqualTo(2);
    assertThat(records()).isEqualTo(1);
  }

  @Test
  void runsAnotherRequestUnderAnExpiredKeyAsNew() {
    ada.post("/things", key, body);
    expire();
    assertThat(ada.post("/things/text", key, body).status()).isEqualTo(200);
  }

  @Test
  void keepsTheOldAnswerGoneWhenTheNewRequestFails() {
    ada.post("/things", key, body);
    expire();
    assertThat(ada.post("/things/failing", key, body).status()).isEqualTo(500);
    assertThat(ada.post("/things", key, body).isReplay()).isFalse();
  }

  @Test
  void keepsAnAnswerForADay() {
    ada.post("/things", key, body);
    String kept = "SELECT expires_at - created_at = interval '24 h' FROM idempotency_record";
    assertThat(ORDERS.text(kept + " WHERE key = ?", key)).isEqualTo("true");
  }

  @Test
  void deletesOnlyWhatHasExpired() throws SQLException {
    ada.post("/things", key, body);
    ada.post("/things", key + "-kept", body);
    expire();
    assertThat(cleanup.deleteExpired()).isPositive();
    assertThat(records()).isZero();
    assertThat(
            ORDERS.number("SELECT count(*) FROM idempotency_record WHERE key = ?", key + "-kept"))
        .isEqualTo(1);
  }

  /** The configured batch is of three. */
  @Test
  void deletesInBatchesUntilNothingExpiredIsLeft() throws SQLException {
    for (int i = 0; i < 8; i++) {
      ada.post("/things", key + i, body);
    }
    ORDERS.update("UPDATE idempotency_record SET expires_at = now() WHERE key LIKE ?", key + "%");
    assertThat(cleanup.deleteExpired()).isGreaterThanOrEqualTo(8);
    assertThat(cleanup.deleteExpired()).isZero();
  }

  @Test
  void leavesToAnotherReplicaWhatThatIsDeleting() throws SQLException {
    ada.post("/things", key, body);
    expire();
    try (Connection other = ORDERS.begin();
        Statement delete = other.createStatement()) {
      delete.execute("DELETE FROM idempotency_record WHERE key = '" + key + "'");
      cleanup.deleteExpired();
      assertThat(records()).isEqualTo(1);
      other.commit();
    }
    assertThat(records()).isZero();
  }
}
