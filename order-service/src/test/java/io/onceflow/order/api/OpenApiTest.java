package io.onceflow.order.api;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.launcher.testing.ServersResource;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.common.ResourceArg;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.path.json.JsonPath;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** How to place an order safely, as the service's own description tells it. */
@QuarkusTest
@QuarkusTestResource(
    value = ServersResource.class,
    initArgs = @ResourceArg(name = "database", value = "orders"))
class OpenApiTest {

  private static final String PLACE = "paths.'/orders'.post.";

  @Test
  void tellsThatPlacingAnOrderNeedsAKey() {
    JsonPath document = openApi();
    assertThat(
            document.<Map<String, Object>>get(
                PLACE + "parameters.find { it.name == 'Idempotency-Key' }"))
        .containsEntry("in", "header")
        .containsEntry("required", true);
  }

  @Test
  void tellsWhatTheGuardAnswersBesideTheServiceItself() {
    JsonPath document = openApi();
    assertThat(document.<Map<String, Object>>get(PLACE + "responses"))
        .containsKeys("201", "400", "401", "409", "422");
    assertThat(document.<Map<String, Object>>get(PLACE + "responses.'201'.headers"))
        .containsKey("Idempotent-Replayed");
    assertThat(document.getString(PLACE + "responses.'201'.description"))
        .isEqualTo("Placed, and pending until its saga has ended");
    assertThat(document.<Map<String, Object>>get(PLACE + "responses.'409'.headers"))
        .containsKeys("Retry-After", "Link");
  }

  @Test
  void tellsThePolicy() {
    JsonPath document = openApi();
    assertThat(document.<Map<String, Object>>get(PLACE + "x-idempotency"))
        .containsKeys("operation", "mode", "retention", "inFlight", "refusals");
    assertThat(document.getString(PLACE + "description")).contains("**Idempotent.**");
  }

  @Test
  void tellsThatAnImportGoesOnInTheBackground() {
    JsonPath document = openApi();
    String begin = "paths.'/order-imports'.post.";
    assertThat(document.<Map<String, Object>>get(begin + "responses"))
        .containsKeys("201", "202", "400", "401", "409", "422", "503");
    assertThat(document.getString(begin + "responses.'202'.description"))
        .isEqualTo("The orders are stored and are being placed");
    assertThat(document.getString(begin + "x-idempotency.operation")).isEqualTo("import-orders");
    assertThat(document.getInt("components.schemas.OrderImportRequest.properties.orders.maxItems"))
        .isEqualTo(1000);
  }

  @Test
  void tellsWhatCancellingAnswers() {
    JsonPath document = openApi();
    String cancel = "paths.'/orders/{id}/cancellation'.post.";
    assertThat(document.<Map<String, Object>>get(cancel + "responses"))
        .containsKeys("202", "400", "401", "404", "409", "422")
        .doesNotContainKey("200");
    assertThat(document.getString(cancel + "responses.'409'.description"))
        .startsWith("`too-late`: the order is confirmed; or: ");
    assertThat(document.getList("components.schemas.CancellationOutcome.enum"))
        .isEqualTo(List.of("cancelled", "compensating"));
  }

  @Test
  void tellsWhatOperatorsMayAskOfSagas() {
    JsonPath document = openApi();
    for (String path : List.of("{id}/retry", "{id}/compensate", "{id}/cancel")) {
      String post = "paths.'/sagas/%s'.post.".formatted(path);
      assertThat(document.<Map<String, Object>>get(post + "requestBody")).as(path).isNotNull();
      assertThat(document.getBoolean(post + "requestBody.required")).as(path).isFalse();
    }
    assertThat(document.<List<String>>get("paths.'/sagas'.get.parameters.name"))
        .containsExactlyInAnyOrder(
            "status",
            "open",
            "direction",
            "command",
            "quarantined",
            "held",
            "definition",
            "version",
            "step",
            "reason",
            "failure",
            "overdue",
            "olderThan",
            "startedAfter",
            "startedBefore",
            "subject",
            "customer",
            "attribute",
            "order",
            "limit",
            "cursor");
  }

  @Test
  void saysNothingOfKeysWhereNoneIsNeeded() {
    assertThat(openApi().<Map<String, Object>>get("paths.'/orders'.get"))
        .doesNotContainKey("x-idempotency");
  }

  private static JsonPath openApi() {
    return given().get("/openapi?format=json").then().statusCode(200).extract().jsonPath();
  }
}
