package io.onceflow.order.api;

import static io.onceflow.launcher.testing.TestTokens.token;
import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.oneOf;

import com.sun.management.ThreadMXBean;
import io.onceflow.launcher.testing.ServersResource;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.common.ResourceArg;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
import io.restassured.specification.RequestSpecification;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a body costs is bounded by its length, whatever stands in it. */
@QuarkusTest
@QuarkusTestResource(
    value = ServersResource.class,
    initArgs = @ResourceArg(name = "database", value = "orders"))
@Timeout(60)
class LargeWorkTest {

  private static final int MEGABYTE = 1_000_000;

  /** All threads of this process: the service's, and ours, which send no more than the body. */
  private static final long MOST_ALLOCATED = 100L * MEGABYTE;

  private static final String BAD_LINE = "{\"quantity\":0,\"unitAmount\":0}";

  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  @TestHTTPResource("/")
  URI server;

  static Stream<Arguments> largeWork() {
    return Stream.of(
        order("nulls for items", "null"),
        order("empty items", "{}"),
        order("lists for items", "[]"),
        order("items that are wrong", BAD_LINE),
        imports("400 orders of 195 nulls", 400, "null", 195),
        imports("1000 orders of 30 items that are wrong", 1_000, BAD_LINE, 30),
        Arguments.of("/order-imports", "nulls for orders", "{\"orders\":" + many("null") + "}"),
        Arguments.of("/order-imports", "empty orders", "{\"orders\":" + many("{}") + "}"),
        Arguments.of("/orders", "an item of many empty objects", many("{}")),
        Arguments.of("/orders", "many names", "{\"a\":" + many("{\"a\":{}}") + "}"));
  }

  @ParameterizedTest(name = "{0}: {1}")
  @MethodSource("largeWork")
  void isRefusedForABoundedPrice(String path, String what, String body) throws Exception {
    HttpRequest large = request(path, body);
    http.send(request(path, "{}"), BodyHandlers.ofString()); // classes are loaded
    long before = allocated();

    HttpResponse<String> refused = http.send(large, BodyHandlers.ofString());

    assertThat(allocated() - before).as("bytes allocated").isLessThan(MOST_ALLOCATED);
    assertThat(refused.statusCode()).isEqualTo(400);
    assertThat(refused.headers().firstValue("Content-Type")).hasValue("application/problem+json");
    assertThat(refused.body().split("\"message\":", -1).length - 1).isLessThanOrEqualTo(20);
    assertThat(refused.body()).hasSizeLessThan(5_000);
  }

  private HttpRequest request(String path, String body) {
    return HttpRequest.newBuilder(server.resolve(path))
        .header("Authorization", "Bearer " + token("customer-" + UUID.randomUUID()))
        .header("Content-Type", "application/json")
        .header("Idempotency-Key", UUID.randomUUID().toString())
        .POST(BodyPublishers.ofString(body))
        .build();
  }

  @Test
  void tellsOfTheFirstTwentyViolations() {
    String items = String.join(",", Collections.nCopies(500, BAD_LINE));

    Response refused = send("/orders", "{\"items\":[%s]}".formatted(items));

    assertThat(refused.<List<Object>>path("violations")).hasSize(20);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "text/plain", "application/json;charset=utf-16", "application/xml"})
  void aBodyThatDoesNotSayThatItIsJsonIsRefused(String type) {
    for (String body : List.of("{}", "{} {}", "\ufeff{}", "[\"\\ud800\"]")) {
      send(type, "/orders", body.getBytes(StandardCharsets.UTF_8))
          .then()
          .statusCode(415)
          .contentType("application/problem+json");
    }
  }

  @Test
  void anOperatorsBodyIsOneDocumentInUtf8() {
    String reason = "{\"why\":\"the gateway is back\"}";
    for (byte[] body :
        List.of(
            (reason + "{}").getBytes(StandardCharsets.UTF_8),
            ("\ufeff" + reason).getBytes(StandardCharsets.UTF_8),
            reason.getBytes(StandardCharsets.UTF_16LE),
            reason.replace("gateway", "gate\u200bway").getBytes(StandardCharsets.UTF_8))) {
      given()
          .auth()
          .oauth2(token("olga", "operator"))
          .header("Content-Type", "application/json")
          .body(body)
          .post("/sagas/%s/retry".formatted(UUID.randomUUID()))
          .then()
          .statusCode(400)
          .contentType("application/problem+json");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/sagas?definition=%00",
        "/sagas?status=%00",
        "/sagas?olderThan=%00",
        "/sagas?cursor=%00",
        "/sagas?limit=%00",
        "/sagas/%00",
        "/orders/%00",
        "/orders?cursor=%00",
        "/order-imports/%00",
        "/order-imports?cursor=%00",
        "/idempotency-keys/%00",
        "/parked-messages/%00",
        "/parked-messages?cursor=%00"
      })
  void nulIsNoFailureOfTheService(String path) {
    given()
        .auth()
        .oauth2(token("olga", "operator"))
        .urlEncodingEnabled(false)
        .get(path)
        .then()
        .statusCode(oneOf(400, 404))
        .contentType("application/problem+json");
  }

  private static Arguments order(String what, String item) {
    return Arguments.of("/orders", what, "{\"items\":" + many(item) + "}");
  }

  private static Arguments imports(String what, int orders, String item, int items) {
    String order = "{\"items\":[%s]}".formatted(String.join(",", Collections.nCopies(items, item)));
    return Arguments.of(
        "/order-imports",
        what,
        "{\"orders\":[%s]}".formatted(String.join(",", Collections.nCopies(orders, order))));
  }

  /** A list that fills a megabyte. */
  private static String many(String value) {
    int count = (MEGABYTE - 100) / (value.length() + 1);
    return "[" + String.join(",", Collections.nCopies(count, value)) + "]";
  }

  private static Response send(String path, String body) {
    return send("application/json", path, body.getBytes(StandardCharsets.UTF_8));
  }

  private static Response send(String type, String path, byte[] body) {
    RequestSpecification request =
        given()
            .auth()
            .oauth2(token("customer-" + UUID.randomUUID()))
            .header("Idempotency-Key", UUID.randomUUID());
    if (type.isEmpty()) {
      // RestAssured gives every body a type.
      return request.noContentType().body(body).post(path);
    }
    return request.header("Content-Type", type).body(body).post(path);
  }

  private static long allocated() {
    return ((ThreadMXBean) ManagementFactory.getThreadMXBean()).getTotalThreadAllocatedBytes();
  }
}
