package io.onceflow.order.messaging;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.not;

import io.onceflow.launcher.testing.ServersResource;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.common.ResourceArg;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.sql.SQLException;
import java.time.Duration;
import java.util.UUID;
import javax.sql.DataSource;
import org.eclipse.microprofile.config.ConfigProvider;
import org.junit.jupiter.api.Test;

/** What the metrics say of sagas. */
@QuarkusTest
@QuarkusTestResource(
    value = ServersResource.class,
    initArgs = @ResourceArg(name = "database", value = "orders"))
class SagaMetricsTest {

  @Inject DataSource database;

  @Test
  void tellsHowManySagasHaveNotEnded() throws SQLException {
    AgedSagas sagas = new AgedSagas(database);
    PlayedOrder order = PlayedOrder.place("customer-" + UUID.randomUUID());
    sagas.makeStuck(order);

    await()
        .atMost(Duration.ofSeconds(30))
        .untilAsserted(
            () ->
                given()
                    .port(managementPort())
                    .get("/q/metrics")
                    .then()
                    .body(containsString("onceflow_sagas_open{status=\"RUNNING\"}"))
                    .body(containsString("onceflow_sagas_open{status=\"COMPENSATING\"}"))
                    .body(not(containsString("onceflow_sagas_open{status=\"STUCK\"} 0.0")))
                    .body(not(containsString("onceflow_sagas_open{status=\"STUCK\"} NaN"))));
    sagas.end(order);
  }

  @Test
  void countsWhatIsWrittenIntoTheHistoryOfSagas() {
    PlayedOrder.place("customer-" + UUID.randomUUID());
    String metrics = given().port(managementPort()).get("/q/metrics").asString();

    assertThat(metrics)
        .containsPattern(
            "onceflow_sagas_events_total\\{definition=\"place-order\",event=\"command-sent\"} [1-9]")
        .contains("onceflow_sagas_events_total{definition=\"place-order\",event=\"saga-stuck\"}");
  }

  private static int managementPort() {
    return ConfigProvider.getConfig().getValue("quarkus.management.test-port", Integer.class);
  }
}
