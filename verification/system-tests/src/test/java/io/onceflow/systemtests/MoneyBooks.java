package io.onceflow.systemtests;

import static java.util.stream.Collectors.groupingBy;

import io.onceflow.systemtests.StripeBooks.Charge;
import io.onceflow.systemtests.StripeBooks.Refund;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The books of orders, of payments and of Stripe, laid side by side. */
final class MoneyBooks {

  /** Stripe counts hundredths of what has none by ISO 4217. */
  private static final Map<String, Long> OF_STRIPE = Map.of("ISK", 100L);

  /**
   * A row of {@code orders}.
   *
   * @param amount in the minor unit of ISO 4217
   */
  private record OrderRow(String status, long amount, String currency) {}

  /**
   * A row of {@code payment}.
   *
   * @param reference of the charge; empty if there is none
   */
  private record PaymentRow(String status, long amount, String currency, String reference) {}

  private final Map<String, OrderRow> orders = new HashMap<>();
  private final Map<String, PaymentRow> payments = new HashMap<>();
  private final Map<String, List<Charge>> charges;
  private final Map<String, List<Refund>> refunds;
  private final List<String> differences = new ArrayList<>();

  /**
   * @param orderRows id, status, amount, currency
   * @param paymentRows order's id, status, amount, currency, gateway's reference
   */
  MoneyBooks(
      List<String> orderRows,
      List<String> paymentRows,
      List<Charge> charges,
      List<Refund> refunds) {
    for (String row : orderRows) {
      String[] it = row.split(" ");
      orders.put(it[0], new OrderRow(it[1], Long.parseLong(it[2]), it[3]));
    }
    for (String row : paymentRows) {
      String[] it = row.split(" ");
      payments.put(
          it[0], new PaymentRow(it[1], Long.parseLong(it[2]), it[3], it.length > 4 ? it[4] : ""));
    }
    this.charges = charges.stream().collect(groupingBy(Charge::orderId));
    this.refunds = refunds.stream().collect(groupingBy(Refund::chargeId));
    compare();
  }

  /** Where they differ; empty if they agree. */
  List<String> differences() {
    return List.copyOf(differences);
  }

  int orders() {
    return orders.size();
  }

  /** Each pair of an order's and its payment's state. */
  Set<String> kinds() {
    return new TreeSet<>(counts().keySet());
  }

  /** How many there are of each kind, and the sums of each currency at Stripe. */
  String summary() {
    Map<String, Long> sums = new TreeMap<>();
    charges.values().stream()
        .flatMap(List::stream)
        .forEach(it -> sums.merge(it.currency(), it.amount() - givenBack(it), Long::sum));
    return "%s; kept at Stripe %s".formatted(counts(), sums);
  }

  private Map<String, Integer> counts() {
    Map<String, Integer> counts = new TreeMap<>();
    orders.forEach(
        (id, order) -> {
          PaymentRow payment = payments.get(id);
          String paid = payment == null ? "unpaid" : payment.status();
          counts.merge(order.status() + " " + paid, 1, Integer::sum);
        });
    return counts;
  }

  private void compare() {
    orders.forEach(this::compare);
    charges.forEach(
        (orderId, made) -> expect(orders.containsKey(orderId), "no order has", orderId, made));
    payments.forEach(
        (orderId, row) -> expect(orders.containsKey(orderId), "no order has", orderId, row));
  }

  private void compare(String id, OrderRow order) {
    List<Charge> made = charges.getOrDefault(id, List.of());
    PaymentRow payment = payments.get(id);
    expect(made.size() <= 1, "charged more than once", id, made);
    for (Charge charge : made) {
      expect(
          charge.amount() == ofStripe(order) && charge.currency().equals(order.currency()),
          "charged another amount than " + order,
          id,
          charge);
      expect(
          payment != null && payment.reference().equals(charge.id()),
          "the payment is of another charge: " + payment,
          id,
          charge);
    }
    long kept = made.stream().mapToLong(it -> it.amount() - givenBack(it)).sum();
    boolean isPaid = order.status().equals("CONFIRMED");
    expect(kept == (isPaid ? ofStripe(order) : 0), "Stripe keeps " + kept + " for", id, order);
    compare(id, order, payment, made);
  }

  private void compare(String id, OrderRow order, @Nullable PaymentRow payment, List<Charge> made) {
    String state = payment == null ? "" : payment.status();
    boolean isGivenBack = made.stream().anyMatch(it -> givenBack(it) > 0);
    String expected = made.isEmpty() ? "DECLINED" : isGivenBack ? "REFUNDED" : "PROCESSED";
    boolean isUnpaid = made.isEmpty() && payment == null;
    expect(
        state.equals(expected) || isUnpaid,
        "the payment is not %s but %s".formatted(expected, payment),
        id,
        made);
    expect(
        payment == null
            || (payment.amount() == order.amount() && payment.currency().equals(order.currency())),
        "the payment is of another amount than " + order,
        id,
        payment);
  }

  private long givenBack(Charge charge) {
    return refunds.getOrDefault(charge.id(), List.of()).stream().mapToLong(Refund::amount).sum();
  }

  private static long ofStripe(OrderRow order) {
    return order.amount() * OF_STRIPE.getOrDefault(order.currency(), 1L);
  }

  private void expect(boolean isSo, String what, String orderId, @Nullable Object seen) {
    if (!isSo) {
      differences.add("order %s: %s, %s".formatted(orderId, what, seen));
    }
  }
}
