package io.onceflow.systemtests;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.restassured.http.ContentType;
import io.restassured.response.Response;
import io.restassured.specification.RequestSpecification;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every endpoint of every service answers each kind of caller as the table says. */
@SystemTest
class AccessTableTest {

  private static final List<AccessRow> TABLE = AccessRow.read(resource("access.txt"));

  /** Hidden from the document, and with a parameter that says what it looks like. */
  private static final String OWN_PROBLEMS = "/problems/{type: too-late|saga-refuses}";

  private static final Duration SOON = Duration.ofMinutes(2);

  private static final String IMPORTS_THAT_GO_ON =
      "SELECT count(*) FROM order_import WHERE status = 'RUNNING'";

  private static final String ORDERS_STATE =
      """
      SELECT concat_ws(' ',
               (SELECT count(*) FROM orders),
               (SELECT count(*) FROM order_import),
               (SELECT count(*) FROM saga_instance),
               (SELECT count(*) FROM idempotency_record),
               (SELECT count(*) FROM parked_message))
      """;

  private static final String PARKED = "SELECT count(*) FROM parked_message";

  private static Stack stack;
  private static Belongings things;

  /**
   * Once for all rows: where nothing optimizes it, to sign their tokens takes longer than a row.
   */
  private static List<Caller> untrusted;

  private static List<Caller> trusted;

  @BeforeAll
  static void orderSomething() {
    stack = Stack.get();
    things = Belongings.of(stack.newCustomer(), stack);
    untrusted = Caller.untrusted(stack.issuer(), things.owner().name());
    trusted = Caller.trusted(stack.issuer(), things.owner().name(), stack.newCustomer().name());
  }

  static List<AccessRow> table() {
    return TABLE;
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("table")
  @Tag("nightly")
  void isAnsweredAsTheTableSays(AccessRow row) {
    awaitImports();
    String before = state();
    untrusted.forEach(caller -> expect(row, caller));
    assertThat(state()).as("what those have changed who are not let in").isEqualTo(before);

    trusted.forEach(caller -> expect(row, caller));
  }

  /** Those that the rows before have posted: they place their orders after the answer. */
  private static void awaitImports() {
    await("no import goes on")
        .atMost(SOON)
        .pollDelay(Duration.ZERO)
        .until(() -> stack.ordersDatabase().count(IMPORTS_THAT_GO_ON) == 0);
  }

  static List<ServiceProcess> services() {
    return Stack.get().services();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("services")
  void everyEndpointHasItsRow(ServiceProcess service) {
    Set<Endpoint> rows =
        TABLE.stream()
            .map(AccessRow::endpoint)
            .filter(endpoint -> endpoint.service().equals(service.name()))
            .collect(Collectors.toSet());

    assertThat(rows).containsExactlyInAnyOrderElementsOf(Endpoints.of(service));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("services")
  void theDocumentIsOpenAndNothingElseIsThere(ServiceProcess service) {
    assertThat(given().get(service.url() + "/openapi").statusCode()).isEqualTo(200);
    assertThat(
            Stream.of(
                "/",
                "/q",
                "/q/dev",
                "/q/dev-ui",
                "/q/health",
                "/q/health/live",
                "/q/health/ready",
                "/q/health/started",
                "/q/metrics",
                "/q/openapi",
                "/q/swagger-ui",
                "/metrics",
                "/health",
                "/index.html",
                "/application.properties",
                "/META-INF/MANIFEST.MF"))
        .allSatisfy(
            path -> assertThat(given().get(service.url() + path).statusCode()).isEqualTo(404));
  }

  @Test
  void anEndpointThatTheDocumentHidesIsFoundAllTheSame() {
    Endpoint hidden = Endpoint.of("order-service", "GET", OWN_PROBLEMS);

    assertThat(hidden.path()).isEqualTo("/problems/{type}");
    assertThat(Endpoints.of(stack.orders())).contains(hidden);
    assertThat(Endpoints.described(stack.orders())).doesNotContain(hidden);
  }

  private void expect(AccessRow row, Caller caller) {
    Response answer = ask(row.endpoint(), caller);

    assertThat(answer.statusCode())
        .as("%s, asked by %s: %s", row, caller, answer.asString())
        .isEqualTo(caller.expected().applyAsInt(row));
    if (answer.statusCode() >= 400) {
      assertThat(answer.contentType()).startsWith("application/problem+json");
    } else if (caller.token() != null && caller.expected().applyAsInt(row) == row.stranger()) {
      expectNothingOfTheirs(row, caller, answer);
    }
    if (answer.statusCode() == 401) {
      assertThat(answer.header("WWW-Authenticate")).startsWith("Bearer");
    }
  }

  private static void expectNothingOfTheirs(AccessRow row, Caller caller, Response answer) {
    if (caller.kind().equals("another customer")) {
      assertThat(answer.asString())
          .as("%s, shown to %s", row, caller)
          .doesNotContain(things.orderId(), things.importId(), things.owner().name());
    }
  }

  private static Response ask(Endpoint endpoint, Caller caller) {
    RequestSpecification request = given();
    if (caller.token() != null) {
      request.auth().oauth2(caller.token());
    }
    if (endpoint.method().equals("POST")) {
      request.header("Idempotency-Key", Customer.newKey());
      body(endpoint, request);
    }
    return request.request(endpoint.method(), url(endpoint));
  }

  private static void body(Endpoint endpoint, RequestSpecification request) {
    switch (endpoint.path()) {
      case "/orders" -> request.contentType(ContentType.JSON).body(OrderForm.GOOD.json());
      case "/order-imports" -> request.contentType(ContentType.JSON).body(new ImportForm(1).json());
      case "/stripe/refunds/{key}/retry",
          "/stripe/refunds/{key}/resolve",
          "/easypost/refunds/{shipment}/retry",
          "/easypost/refunds/{shipment}/resolve" ->
          request.contentType(ContentType.JSON).body("{}");
      default -> {
        // all others can be asked without one
      }
    }
  }

  private static String url(Endpoint endpoint) {
    return stack.services().stream()
            .filter(service -> service.name().equals(endpoint.service()))
            .map(ServiceProcess::url)
            .findAny()
            .orElseThrow()
        + things.fill(endpoint);
  }

  /** The rows that a refused caller could have changed. */
  private static String state() {
    return Stream.of(
            stack.ordersDatabase().texts(ORDERS_STATE),
            stack.paymentsDatabase().texts(PARKED),
            stack.shippingDatabase().texts(PARKED))
        .flatMap(List::stream)
        .collect(Collectors.joining(" "));
  }

  private static String resource(String name) {
    try (InputStream in = AccessTableTest.class.getResourceAsStream(name)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
