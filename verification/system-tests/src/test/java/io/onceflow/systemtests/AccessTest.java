package io.onceflow.systemtests;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;

import io.restassured.http.ContentType;
import io.restassured.response.Response;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Who may see and do what. */
@SystemTest
class AccessTest {

  private static final Stack STACK = Stack.get();

  private final Customer customer = STACK.newCustomer();

  static Stream<String> businessEndpoints() {
    return Stream.concat(
        Stream.of(
            STACK.orders().url() + "/orders",
            STACK.orders().url() + "/orders/" + UUID.randomUUID(),
            STACK.orders().url() + "/orders/" + UUID.randomUUID() + "/saga",
            STACK.payments().url() + "/payments?orderId=" + UUID.randomUUID(),
            STACK.shipping().url() + "/shipments?orderId=" + UUID.randomUUID()),
        operatorEndpoints());
  }

  static Stream<String> operatorEndpoints() {
    return Stream.of(
        STACK.orders().url() + "/sagas",
        STACK.orders().url() + "/parked-messages",
        STACK.payments().url() + "/parked-messages",
        STACK.payments().url() + "/simulated-gateway/ledger?orderId=" + UUID.randomUUID(),
        STACK.shipping().url() + "/parked-messages",
        STACK.shipping().url() + "/simulated-carrier/ledger?orderId=" + UUID.randomUUID());
  }

  static Stream<Arguments> badTokens() {
    Issuer issuer = STACK.issuer();
    return Stream.of(
        Arguments.of("expired", issuer.expired("alice")),
        Arguments.of("signed with another key", issuer.forged("alice")),
        Arguments.of("declared to need no signature", issuer.unsigned("alice")),
        Arguments.of("with a signature cut off", cut(issuer.customer("alice"))),
        Arguments.of("no token at all", "rubbish"));
  }

  private static String cut(String token) {
    return token.substring(0, token.lastIndexOf('.') + 1);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("businessEndpoints")
  void aCallerWithoutATokenIsRefused(String url) {
    expectProblem(given().get(url), 401);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("badTokens")
  void aTokenThatIsNotOursOpensNothing(String what, String token) {
    assertThat(businessEndpoints())
        .allSatisfy(url -> expectProblem(given().auth().oauth2(token).get(url), 401));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("badTokens")
  void aTokenThatIsNotOursPlacesNoOrder(String what, String token) {
    Response refused =
        given()
            .auth()
            .oauth2(token)
            .contentType(ContentType.JSON)
            .header("Idempotency-Key", Customer.newKey())
            .body(OrderForm.GOOD.json())
            .post(STACK.orders().url() + "/orders");

    expectProblem(refused, 401);
  }

  @Test
  void anothersOrderIsNotThere() {
    Order order = customer.places(OrderForm.GOOD).awaitConfirmed();
    Customer other = STACK.newCustomer();

    expectProblem(other.get("/orders/" + order.id()), 404);
    expectProblem(other.get("/orders/" + order.id() + "/saga"), 404);
    assertThat(other.orders()).isEmpty();
    assertThat(other.payments(order.id())).isEmpty();
    assertThat(other.shipments(order.id())).isEmpty();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("operatorEndpoints")
  void whatIsForOperatorsIsNotForCustomers(String url) {
    String token = STACK.issuer().customer(customer.name());

    expectProblem(given().auth().oauth2(token).get(url), 403);
    assertThat(given().auth().oauth2(STACK.issuer().operator()).get(url).statusCode())
        .isEqualTo(200);
  }

  static List<ServiceProcess> services() {
    return STACK.services();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("services")
  void healthAndMetricsAreOnTheManagementPortOnly(ServiceProcess service) {
    assertThat(Stream.of("/q/health", "/q/health/live", "/q/health/ready", "/q/metrics"))
        .allSatisfy(
            path -> {
              assertThat(given().get(service.managementUrl() + path).statusCode()).isEqualTo(200);
              assertThat(given().get(service.url() + path).statusCode()).isEqualTo(404);
            });
  }

  private static void expectProblem(Response refused, int status) {
    assertThat(refused.statusCode()).isEqualTo(status);
    assertThat(refused.contentType()).startsWith("application/problem+json");
    assertThat(refused.<String>path("type")).contains("/problems/");
  }
}
