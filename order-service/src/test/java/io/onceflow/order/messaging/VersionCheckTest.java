package io.onceflow.order.messaging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.onceflow.launcher.testing.ServersResource;
import io.onceflow.saga.internal.messaging.UnknownSagas;
import io.onceflow.saga.internal.messaging.VersionCheck;
import io.onceflow.saga.internal.store.version.SagaVersionUnknown;
import io.quarkus.runtime.StartupEvent;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.common.ResourceArg;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import javax.sql.DataSource;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Readiness;
import org.junit.jupiter.api.Test;

/** The start, as it is observed, with a saga in the database that a newer build has left. */
@QuarkusTest
@QuarkusTestResource(
    value = ServersResource.class,
    initArgs = @ResourceArg(name = "database", value = "orders"))
class VersionCheckTest {

  @Inject VersionCheck check;
  @Inject @Readiness UnknownSagas unknown;
  @Inject DataSource database;

  @Test
  void aStartIsRefusedWhileSagasFollowAVersionThatWasDropped() throws SQLException {
    PlayedOrder order = PlayedOrder.place("customer-" + UUID.randomUUID());
    setVersion(order, 0);
    try {
      assertThatExceptionOfType(SagaVersionUnknown.class)
          .isThrownBy(() -> check.check(new StartupEvent()))
          .withMessageContaining("1 of place-order v0 (such as %s)".formatted(order.saga()))
          .withMessageContaining("It knows place-order v1, return-order v1");
    } finally {
      setVersion(order, 1);
    }
  }

  @Test
  void aReleaseCanBeRolledBackWhileSagasOfItsVersionAreUnderWay() throws SQLException {
    PlayedOrder order = PlayedOrder.place("customer-" + UUID.randomUUID());
    setVersion(order, 99);
    try {
      assertThatCode(() -> check.check(new StartupEvent())).doesNotThrowAnyException();
      // What was counted a little while ago is told for a little while.
      await()
          .atMost(Duration.ofMinutes(1))
          .untilAsserted(
              () -> {
                unknown.count();
                assertThat(unknown.call().getData().orElse(Map.of()))
                    .containsKey("degraded")
                    .hasEntrySatisfying(
                        "unknown",
                        versions -> assertThat(versions.toString()).contains("place-order v99"));
              });
      assertThat(unknown.call().getStatus()).isEqualTo(HealthCheckResponse.Status.UP);
    } finally {
      setVersion(order, 1);
    }
  }

  private void setVersion(PlayedOrder order, int version) throws SQLException {
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement()) {
      statement.executeUpdate(
          "UPDATE saga_instance SET version = %d WHERE id = '%s'".formatted(version, order.saga()));
    }
  }
}
