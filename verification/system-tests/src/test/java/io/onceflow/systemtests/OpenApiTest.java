package io.onceflow.systemtests;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;

import io.restassured.path.json.JsonPath;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Each service publishes an OpenAPI document of its endpoints. */
@SystemTest
class OpenApiTest {

  static Stream<Arguments> services() {
    Stack stack = Stack.get();
    return Stream.of(
        Arguments.of(
            stack.orders(),
            new String[] {
              "/orders",
              "/orders/{id}",
              "/orders/{id}/saga",
              "/orders/{id}/return",
              "/order-imports",
              "/order-imports/{id}"
            }),
        Arguments.of(
            stack.payments(),
            new String[] {
              "/payments",
              "/parked-messages",
              "/simulated-gateway/ledger",
              "/webhooks/stripe",
              "/stripe/pending-payments/{reference}"
            }),
        Arguments.of(
            stack.shipping(),
            new String[] {
              "/shipments",
              "/return-shipments",
              "/parked-messages",
              "/simulated-carrier/ledger",
              "/webhooks/easypost"
            }));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("services")
  void eachServiceDescribesItsEndpoints(ServiceProcess service, String[] endpoints) {
    JsonPath document =
        given()
            .get(service.url() + "/openapi?format=json")
            .then()
            .statusCode(200)
            .extract()
            .jsonPath();

    Map<String, Object> paths = document.getMap("paths");
    assertThat(paths).containsKeys(endpoints);
    assertThat(document.getString("openapi")).startsWith("3.");
  }

  /** Written into the jar when it was built, but for what the configuration says at its start. */
  @Test
  void theOrderServiceTellsHowToRepeatAnOrder() {
    JsonPath placing =
        given()
            .get(Stack.get().orders().url() + "/openapi?format=json")
            .then()
            .extract()
            .jsonPath()
            .setRootPath("paths.'/orders'.post");

    assertThat(placing.getString("parameters.find { it.name == 'Idempotency-Key' }.required"))
        .isEqualTo("true");
    assertThat(placing.getMap("responses")).containsKeys("201", "400", "409", "422");
    assertThat(placing.getString("x-idempotency.retention")).isEqualTo("PT24H");
  }
}
