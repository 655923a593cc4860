package io.onceflow.launcher.demo;

import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.UUID;
import java.util.stream.StreamSupport;

/** Four stories: all goes well, the card is declined, the parcel is refused, a POST is repeated. */
public final class Demo {

  /** Some hundred times what a saga takes, and less than a person waits without wondering. */
  private static final Duration SAGA_DEADLINE = Duration.ofSeconds(30);

  private static final Duration LOOK_EVERY = Duration.ofMillis(50);

  private final Endpoints endpoints;
  private final Api customer;
  private final Api operator;
  private final Api merchant = new Api("sk_test_double");

  /**
   * Prepares the stories.
   *
   * @param customerToken of the person who orders
   * @param operatorToken of the operator who reads the ledgers of gateway and carrier
   */
  public Demo(Endpoints endpoints, String customerToken, String operatorToken) {
    this.endpoints = endpoints;
    this.customer = new Api(customerToken);
    this.operator = new Api(operatorToken);
  }

  /** A story, which may break off. */
  private interface Story {
    void tell(Teller teller) throws IOException, InterruptedException;
  }

  /**
   * Runs all four stories, even if one fails.
   *
   * @return whether all had the expected outcome
   */
  public boolean tell(PrintStream out) throws InterruptedException {
    Teller teller = new Teller(out);
    tell(teller, "1. An order that is confirmed", this::goesThrough);
    tell(teller, "2. A card that is declined", this::cardIsDeclined);
    tell(teller, "3. A shipment that is refused: the payment is refunded", this::shipmentIsRefused);
    tell(teller, "4. The same POST again, and then a different one", this::postIsRepeated);
    return teller.end();
  }

  private static void tell(Teller teller, String title, Story story) throws InterruptedException {
    teller.begin(title);
    try {
      story.tell(teller);
    } catch (IOException | StoryBroken e) {
      teller.disappoint("broke off: " + e.getMessage());
    }
  }

  private void goesThrough(Teller teller) throws IOException, InterruptedException {
    OrderForm form = OrderForm.GOOD;
    Trace trace = Trace.begin();
    String id = place(teller, form, trace);
    ApiResponse order = awaitOutcome(teller, id, "CONFIRMED");
    teller.check("the order says what was paid", isThere(order, "payment"), order);
    teller.check("the order says what is shipped", isThere(order, "shipment"), order);
    expectGateway(teller, id, List.of("CHARGE"), form.amount());
    expectCarrier(teller, id, List.of("BOOKING"));
    awaitSaga(teller, id, "COMPLETED", trace);
  }

  private void cardIsDeclined(Teller teller) throws IOException, InterruptedException {
    Trace trace = Trace.begin();
    String id = place(teller, OrderForm.GOOD.paidBy("pm_card_chargeDeclined"), trace);
    expectReason(teller, awaitOutcome(teller, id, "CANCELLED"), "PAYMENT_DECLINED");
    expectGateway(teller, id, List.of(), 0);
    ApiResponse shipments = customer.get(endpoints.shipments(), "/shipments?orderId=" + id);
    teller.check("nothing is shipped", shipments.json().isEmpty(), shipments);
    awaitSaga(teller, id, "COMPENSATED", trace);
  }

  private void shipmentIsRefused(Teller teller) throws IOException, InterruptedException {
    OrderForm form = OrderForm.GOOD.shippedTo("AQ");
    Trace trace = Trace.begin();
    String id = place(teller, form, trace);
    expectReason(teller, awaitOutcome(teller, id, "CANCELLED"), "SHIPMENT_REJECTED");
    awaitSaga(teller, id, "COMPENSATED", trace);
    expectGateway(teller, id, List.of("CHARGE", "REFUND"), form.amount());
    expectCarrier(teller, id, List.of());
  }

  private void postIsRepeated(Teller teller) throws IOException, InterruptedException {
    String key = UUID.randomUUID().toString();
    OrderForm form = OrderForm.GOOD;
    Trace trace = Trace.begin();
    ApiResponse first = customer.post(endpoints.orders(), "/orders", key, form.json(), trace);
    teller.check("POST /orders answers 201", first.status() == 201, first);
    ApiResponse again = customer.post(endpoints.orders(), "/orders", key, form.json(), trace);
    teller.check("the same again answers 201", again.status() == 201, again);
    teller.check(
        "with Idempotent-Replayed: true",
        again.header("Idempotent-Replayed").equals("true"),
        again.headers());
    teller.check("with the same body, byte for byte", again.body().equals(first.body()), again);
    teller.check(
        "with the same Location",
        again.header("Location").equals(first.header("Location")),
        again.headers());

    ApiResponse other =
        customer.post(endpoints.orders(), "/orders", key, form.ofBooks(3).json(), trace);
    teller.check("three books under that key answer 422", other.status() == 422, other);
    teller.check(
        "with the problem idempotency-key-reused",
        other.text("type").endsWith("idempotency-key-reused"),
        other);
    teller.show(other.pretty());

    String id = first.text("id");
    awaitOutcome(teller, id, "CONFIRMED");
    expectGateway(teller, id, List.of("CHARGE"), form.amount());
    awaitSaga(teller, id, "COMPLETED", trace);
  }

  private String place(Teller teller, OrderForm form, Trace trace)
      throws IOException, InterruptedException {
    String key = UUID.randomUUID().toString();
    ApiResponse placed = customer.post(endpoints.orders(), "/orders", key, form.json(), trace);
    teller.check("POST /orders answers 201", placed.status() == 201, placed);
    String id = placed.text("id");
    if (id.isEmpty()) {
      throw new StoryBroken("there is no order to follow");
    }
    teller.check("the order is PENDING", placed.text("status").equals("PENDING"), placed);
    teller.check(
        "Location is /orders/" + id,
        placed.header("Location").endsWith("/orders/" + id),
        placed.headers());
    return id;
  }

  private ApiResponse awaitOutcome(Teller teller, String id, String expected)
      throws IOException, InterruptedException {
    ApiResponse order = awaitStatusOtherThan("/orders/" + id, Set.of("PENDING"));
    teller.check("the order ends " + expected, order.text("status").equals(expected), order);
    return order;
  }

  private void awaitSaga(Teller teller, String id, String expected, Trace trace)
      throws IOException, InterruptedException {
    String path = "/orders/" + id + "/saga";
    ApiResponse saga = awaitStatusOtherThan(path, Set.of("RUNNING", "COMPENSATING"));
    teller.check("its saga ends " + expected, saga.text("status").equals(expected), saga);
    teller.show(Timeline.render(saga.json()));
    teller.show(trace.told());
  }

  /** Returns the first answer with another status, or the last one before the deadline. */
  private ApiResponse awaitStatusOtherThan(String path, Set<String> transitional)
      throws IOException, InterruptedException {
    long giveUpAt = System.nanoTime() + SAGA_DEADLINE.toNanos();
    while (true) {
      ApiResponse answer = customer.get(endpoints.orders(), path);
      boolean waiting = answer.status() == 200 && transitional.contains(answer.text("status"));
      if (!waiting || System.nanoTime() - giveUpAt > 0) {
        return answer;
      }
      Thread.sleep(LOOK_EVERY);
    }
  }

  private static boolean isThere(ApiResponse order, String field) {
    return order.json().path(field).isObject();
  }

  private static void expectReason(Teller teller, ApiResponse order, String reason) {
    String seen = order.text("cancellationReason");
    teller.check("because of " + reason, seen.equals(reason), order);
  }

  /** Expects these entries in the gateway's books and no others, each of the whole amount. */
  private void expectGateway(Teller teller, String id, List<String> kinds, int amount)
      throws IOException, InterruptedException {
    GatewayEntries entries = gatewayEntries(id);
    expectEntries(teller, "gateway", entries.kinds(), kinds, entries.seen());
    if (!kinds.isEmpty()) {
      boolean exact = entries.amounts().stream().allMatch(it -> it == amount);
      String what = String.format(Locale.ROOT, "of %s.%02d EUR", amount / 100, amount % 100);
      teller.check(what, exact && !entries.amounts().isEmpty(), entries.seen());
    }
  }

  private GatewayEntries gatewayEntries(String id) throws IOException, InterruptedException {
    if (endpoints.stripe().isEmpty()) {
      return GatewayEntries.ofSimulated(
          operator.get(endpoints.payments(), "/simulated-gateway/ledger?orderId=" + id));
    }
    // Newest first: those of this order are among the last hundred.
    URI stripe = endpoints.stripe().get();
    return GatewayEntries.ofStripe(
        id,
        merchant.get(stripe, "/v1/payment_intents?limit=100"),
        merchant.get(stripe, "/v1/refunds?limit=100"));
  }

  private void expectCarrier(Teller teller, String id, List<String> kinds)
      throws IOException, InterruptedException {
    if (!endpoints.isCarrierSimulated()) {
      expectTrackingNumbers(teller, id, kinds.size());
      return;
    }
    ApiResponse ledger =
        operator.get(endpoints.shipments(), "/simulated-carrier/ledger?orderId=" + id);
    expectEntries(teller, "carrier", column(ledger, "kind"), kinds, ledger);
  }

  /** A real carrier's books are not ours to show; it has given each parcel a number. */
  private void expectTrackingNumbers(Teller teller, String id, int count)
      throws IOException, InterruptedException {
    ApiResponse shipments = customer.get(endpoints.shipments(), "/shipments?orderId=" + id);
    long numbers =
        StreamSupport.stream(shipments.json().spliterator(), false)
            .filter(it -> it.hasNonNull("trackingNumber"))
            .count();
    teller.check(
        count == 0
            ? "no parcel has a number of the carrier"
            : "one parcel has the carrier's number",
        shipments.status() == 200 && numbers == count,
        shipments);
  }

  private static void expectEntries(
      Teller teller, String whose, List<String> kinds, List<String> expected, ApiResponse seen) {
    boolean so = seen.status() == 200 && kinds.equals(expected);
    String what = expected.isEmpty() ? "nothing" : "one " + String.join(" and one ", expected);
    teller.check("the %s's ledger holds %s".formatted(whose, what), so, seen);
  }

  private static List<String> column(ApiResponse ledger, String field) {
    return StreamSupport.stream(ledger.json().spliterator(), false)
        .map(entry -> entry.path(field).asText())
        .toList();
  }

  /** What ends a story before its end. */
  private static final class StoryBroken extends RuntimeException {
    private static final long serialVersionUID = 1L;

    StoryBroken(String message) {
      super(message);
    }
  }
}
