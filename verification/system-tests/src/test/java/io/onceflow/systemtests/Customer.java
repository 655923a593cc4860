package io.onceflow.systemtests;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.restassured.http.ContentType;
import io.restassured.response.Response;
import io.restassured.specification.RequestSpecification;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;

/**
 * A customer with a separate account. They come back when they are told to: a service that has no
 * room for a request now answers 429, or 503 with {@code Retry-After}.
 */
final class Customer {

  /** A service that was killed is back in less. */
  private static final Duration PATIENCE = Duration.ofMinutes(3);

  private static final Duration COMES_BACK_AFTER = Duration.ofMillis(250);

  private static final int CREATED = 201;
  private static final Set<Integer> COME_BACK = Set.of(429, 503);

  private final Stack stack;
  private final String name;

  Customer(Stack stack, String name) {
    this.stack = stack;
    this.name = name;
    ExplainFailures.remember(this);
  }

  /** The subject of their token: the scope of all their keys. */
  String name() {
    return name;
  }

  static String newKey() {
    return UUID.randomUUID().toString();
  }

  /** Sends a POST and returns any answer. */
  Response post(String body, String key) {
    return post(body, Map.of("Idempotency-Key", key));
  }

  Response post(String body, Map<String, String> headers) {
    return post("/orders", body, headers);
  }

  /** Sends many orders in one import and returns any answer. */
  Response postImport(String body, String key) {
    return post("/order-imports", body, Map.of("Idempotency-Key", key));
  }

  private Response post(String path, String body, Map<String, String> headers) {
    return admitted(
        () ->
            asThemselves()
                .contentType(ContentType.JSON)
                .headers(headers)
                .body(body)
                .post(stack.orders().url() + path));
  }

  /** Places an order that has to be accepted at the first attempt. */
  Order places(OrderForm form) {
    return places(form, newKey());
  }

  Order places(OrderForm form, String key) {
    return placed(post(form.json(), key));
  }

  /** Places an order by repeating the POST with its key until it is answered as created. */
  Order insistsOn(OrderForm form) {
    String key = newKey();
    return placed(insists(() -> post(form.json(), key)));
  }

  /** Sends a request again and again, until it is answered as created. */
  Response insists(Callable<Response> request) {
    return await("a request is answered as created")
        .atMost(PATIENCE)
        .ignoreExceptions()
        .until(request, answer -> answer.statusCode() == CREATED);
  }

  /** Requests the cancellation of an order and returns any answer. */
  Response cancel(Order order, String key) {
    return postWithoutBody("/orders/" + order.id() + "/cancellation", key);
  }

  /** Requests the return of an order and returns any answer. */
  Response givesBack(Order order, String key) {
    return postWithoutBody("/orders/" + order.id() + "/return", key);
  }

  private Response postWithoutBody(String path, String key) {
    return admitted(
        () -> asThemselves().header("Idempotency-Key", key).post(stack.orders().url() + path));
  }

  Response get(String path) {
    return read(stack.orders().url() + path);
  }

  /** A list on the top level of what they read there now. */
  @SuppressWarnings("unchecked")
  List<Map<String, Object>> list(String path, String field) {
    Response answer = get(path);
    Object list = answer.as(Json.OBJECT).get(field);
    assertThat(list).as(() -> "%s of %s, %s".formatted(field, path, told(answer))).isNotNull();
    return (List<Map<String, Object>>) list;
  }

  /** An answer for a failed test; with the service's last words, where it blames itself. */
  private String told(Response answer) {
    String told = "answered %d: %s".formatted(answer.statusCode(), answer.asString());
    return answer.statusCode() < 500 ? told : "%s%n%s".formatted(told, stack.orders().logTail());
  }

  /** The first page of the customer's orders, as JSON. */
  List<Map<String, Object>> orders() {
    return list("/orders?limit=100", "orders");
  }

  /** The same orders, to be asked about. */
  List<Order> placed() {
    return orders().stream()
        .map(order -> new Order(stack, this, String.valueOf(order.get("id"))))
        .toList();
  }

  /** Their own payments for an order, or shipments of it. */
  List<Map<String, Object>> payments(String orderId) {
    return read(stack.payments().url() + "/payments?orderId=" + orderId).as(Json.OBJECTS);
  }

  /** Their own payments for an order that waited for them or their bank. */
  List<Map<String, Object>> pendingPayments(String orderId) {
    return read(stack.payments().url() + "/stripe/pending-payments/" + orderId).as(Json.OBJECTS);
  }

  List<Map<String, Object>> shipments(String orderId) {
    return read(stack.shipping().url() + "/shipments?orderId=" + orderId).as(Json.OBJECTS);
  }

  List<Map<String, Object>> returnShipments(String orderId) {
    return read(stack.shipping().url() + "/return-shipments?orderId=" + orderId).as(Json.OBJECTS);
  }

  /** Waits until they have exactly this many orders and all of them have this status. */
  void awaitOrders(int count, String status) {
    await(count + " orders are " + status)
        .atMost(Order.ENDS_WITHIN)
        .ignoreExceptions()
        .untilAsserted(
            () ->
                assertThat(orders())
                    .hasSize(count)
                    .extracting(order -> order.get("status"))
                    .containsOnly(status));
  }

  private Order placed(Response answer) {
    assertThat(answer.statusCode()).as(answer.asString()).isEqualTo(CREATED);
    return new Order(stack, this, answer.path("id"));
  }

  private Response read(String url) {
    return admitted(() -> asThemselves().get(url));
  }

  /** The answer to a request that is sent again for as long as it is told to come back. */
  private static Response admitted(Callable<Response> request) {
    return await("a request is admitted")
        .atMost(PATIENCE)
        .pollInSameThread()
        .pollDelay(Duration.ZERO)
        .pollInterval(COMES_BACK_AFTER)
        .until(request, answer -> !isToldToComeBack(answer));
  }

  private static boolean isToldToComeBack(Response answer) {
    return COME_BACK.contains(answer.statusCode()) && answer.header("Retry-After") != null;
  }

  private RequestSpecification asThemselves() {
    return given().auth().oauth2(stack.issuer().customer(name));
  }
}
