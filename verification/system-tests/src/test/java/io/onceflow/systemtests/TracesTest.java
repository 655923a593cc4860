package io.onceflow.systemtests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.restassured.path.json.JsonPath;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a collector gets to see of an order, from its POST to its end. */
@SystemTest
@Timeout(value = 4, unit = TimeUnit.MINUTES)
@Tag("nightly")
class TracesTest {

  private static final Duration SOON = Duration.ofSeconds(30);

  private static final long CONSUMER = 5;

  private static Stack stack;
  private static Collector collector;

  private final Customer customer = stack.newCustomer();
  private final String trace = UUID.randomUUID().toString().replace("-", "");

  @BeforeAll
  static void collect() {
    stack = Stack.get();
    collector = Collector.start();
    Map<String, String> settings = new HashMap<>(collector.settings());
    settings.put("QUARKUS_LOG_CONSOLE_JSON_ENABLED", "true");
    restartWith(settings);
  }

  @AfterAll
  static void collectNoMore() {
    restartWith(Map.of());
    collector.close();
  }

  @Test
  void aConfirmedOrderIsOneTraceOfEveryHop() {
    placed(OrderForm.GOOD).awaitConfirmed();

    awaitHops(
        "order-service: POST /orders",
        "order-service: saga place-order",
        "order-service: send ProcessPayment",
        "payment-service: process ProcessPayment",
        "payment-service: call process-payment",
        "payment-service: send PaymentProcessed",
        "order-service: process PaymentProcessed",
        "order-service: send ArrangeShipment",
        "shipping-service: process ArrangeShipment",
        "shipping-service: call arrange-shipment",
        "shipping-service: send ShipmentArranged",
        "order-service: process ShipmentArranged");
    expectChain(
        "order-service: POST /orders",
        "order-service: send ArrangeShipment",
        "shipping-service: process ArrangeShipment",
        "shipping-service: send ShipmentArranged",
        "order-service: process ShipmentArranged");
    assertThat(the("shipping-service: call arrange-shipment").parent())
        .isEqualTo(the("shipping-service: process ArrangeShipment").id());
    assertThat(sagaEvents())
        .contains("saga-started", "pivot-passed confirm-order", "saga-completed");
  }

  @Test
  void anOrderThatIsUndoneIsOneTraceOfEveryHop() {
    placed(OrderForm.GOOD.shippedToCountry("AQ")).awaitCancelled();

    awaitHops(
        "shipping-service: send ShipmentRejected",
        "order-service: process ShipmentRejected",
        "order-service: send RefundPayment",
        "payment-service: process RefundPayment",
        "payment-service: call refund-payment",
        "payment-service: send PaymentRefunded",
        "order-service: process PaymentRefunded");
    expectChain(
        "order-service: POST /orders",
        "order-service: send RefundPayment",
        "payment-service: process RefundPayment",
        "payment-service: send PaymentRefunded",
        "order-service: process PaymentRefunded");
    assertThat(sagaEvents())
        .contains("refused arrange-shipment", "compensation-sent process-payment")
        .contains("saga-compensated");
  }

  /** Batches come about by themselves as soon as much is to be done. */
  @Test
  void whatIsSettledTogetherIsLinked() {
    List<Order> orders =
        IntStream.range(0, 40).parallel().mapToObj(i -> placed(OrderForm.GOOD)).toList();
    orders.forEach(Order::awaitConfirmed);

    await("a message that was settled with others is linked to their batch")
        .atMost(SOON)
        .until(() -> spans().anyMatch(span -> span.kind() == CONSUMER && !span.links().isEmpty()));
    String batch =
        spans()
            .map(Span::links)
            .filter(links -> !links.isEmpty())
            .findFirst()
            .orElseThrow()
            .getFirst();
    await("the batch is there")
        .atMost(SOON)
        .untilAsserted(
            () ->
                assertThat(collector.trace(batch))
                    .singleElement()
                    .extracting(Span::name)
                    .asString()
                    .startsWith("settle "));
  }

  @Test
  void aLineAboutAnOrderSaysWhichInFields() {
    Order order = placed(OrderForm.GOOD.paidBy("pm_sim_unavailable_twice")).awaitConfirmed();

    List<JsonPath> lines =
        stack.payments().written().stream()
            .filter(line -> line.startsWith("{") && line.contains(trace))
            .map(JsonPath::from)
            .toList();
    assertThat(lines).isNotEmpty();
    assertThat(lines)
        .allSatisfy(
            line -> {
              assertThat(line.getString("mdc.traceId")).isEqualTo(trace);
              assertThat(line.getString("mdc.orderId")).isEqualTo(order.id());
              assertThat(line.getString("mdc.sagaId")).isEqualTo(order.saga().getString("id"));
              assertThat(line.getString("mdc.step")).isEqualTo("process-payment");
            });
  }

  @Test
  void nothingOfACustomerIsInASpan() {
    placed(OrderForm.GOOD.paidBy("pm_card_visa_chargeDeclined")).awaitEnded();
    awaitHops("order-service: POST /orders", "payment-service: process ProcessPayment");

    assertThat(spans().map(span -> span.attributes() + " " + span.events()))
        .noneMatch(text -> text.contains("Lovelace"))
        .noneMatch(text -> text.contains("SW1Y"))
        .noneMatch(text -> text.contains("pm_card"))
        .noneMatch(text -> text.contains("Bearer"));
  }

  private Order placed(OrderForm form) {
    String parent = "00-%s-00f067aa0ba902b7-01".formatted(trace);
    String id =
        customer
            .post(form.json(), Map.of("Idempotency-Key", Customer.newKey(), "traceparent", parent))
            .path("id");
    return new Order(stack, customer, id);
  }

  private void awaitHops(String... hops) {
    await("the trace " + trace + " has all its hops")
        .atMost(SOON)
        .untilAsserted(() -> assertThat(spans().map(Span::hop)).contains(hops));
  }

  /** Each follows from the one before it. */
  private void expectChain(String... hops) {
    for (int i = 1; i < hops.length; i++) {
      assertThat(the(hops[i]).parent())
          .as("what %s follows from, in %s", hops[i], spans().map(Span::hop).toList())
          .isEqualTo(the(hops[i - 1]).id());
    }
  }

  private List<String> sagaEvents() {
    await("the saga's last transition is told")
        .atMost(SOON)
        .until(() -> spans().filter(isSaga()).count() >= 3);
    return spans().filter(isSaga()).flatMap(span -> span.events().stream()).toList();
  }

  private static Predicate<Span> isSaga() {
    return span -> span.name().equals("saga place-order");
  }

  private Span the(String hop) {
    return spans()
        .filter(span -> span.hop().equals(hop))
        .findFirst()
        .orElseThrow(
            () ->
                new AssertionError(
                    "no %s in %s"
                        .formatted(hop, spans().map(Span::hop).collect(Collectors.joining(", ")))));
  }

  private Stream<Span> spans() {
    return collector.trace(trace).stream();
  }

  private static void restartWith(Map<String, String> settings) {
    for (ServiceProcess service : stack.services()) {
      service.kill();
      service.configure(settings);
    }
    stack.heal();
  }
}
