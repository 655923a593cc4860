package io.onceflow.idempotency.internal.recovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.onceflow.idempotency.GuardedThings;
import io.onceflow.launcher.testing.ServersResource;
import io.quarkus.test.common.ResourceArg;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.QuarkusTestProfile;
import io.quarkus.test.junit.TestProfile;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Clean-up and recovery run without a call by the application. */
@QuarkusTest
@TestProfile(UnattendedRecoveryTest.Often.class)
@WithTestResource(
    value = ServersResource.class,
    initArgs = @ResourceArg(name = "database", value = "orders"))
@Timeout(60)
@Tag("nightly")
class UnattendedRecoveryTest extends GuardedThings {

  /** Turns that tests can wait for. */
  public static final class Often implements QuarkusTestProfile {
    @Override
    public Map<String, String> getConfigOverrides() {
      return Map.of(
          "onceflow.garbage-collection.first-pause", "PT0.5S",
          "onceflow.garbage-collection.longest-pause", "PT0.5S",
          "onceflow.idempotency.recovery.interval", "PT1S",
          "onceflow.idempotency.recovery.grace", "PT0S");
    }
  }

  @Test
  void deletesWhatHasExpired() {
    assertThat(ada.post("/things", key, body).status()).isEqualTo(201);
    expire();
    await().until(() -> records() == 0);
  }

  @Test
  void freesTheKeysOfDeadOwners() {
    assertThat(
            ORDERS.update(
                """
                INSERT INTO idempotency_record
                  (scope, key, fingerprint, status, operation, lease_expires_at, expires_at)
                VALUES
                  ('ada', ?, '', 'STARTED', 'ThingsResource.make',
                   now() - interval '1 s', now() + interval '1 day')
                """,
                key))
        .isEqualTo(1);
    await().until(() -> records() == 0);
  }

  @Test
  void leavesWhatLives() {
    assertThat(ada.post("/things", key, body).status()).isEqualTo(201);
    deletesWhatHasExpiredOfAnother();
    assertThat(records()).isEqualTo(1);
  }

  private void deletesWhatHasExpiredOfAnother() {
    String other = key + "-expired";
    ada.post("/things", other, body);
    ORDERS.update(
        "UPDATE idempotency_record SET expires_at = now() - interval '1 s' WHERE key = ?", other);
    await()
        .until(
            () ->
                ORDERS.number("SELECT count(*) FROM idempotency_record WHERE key = ?", other) == 0);
  }
}
