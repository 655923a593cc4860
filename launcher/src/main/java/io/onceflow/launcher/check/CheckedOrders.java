package io.onceflow.launcher.check;

import static java.util.stream.Collectors.groupingBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Compares the orders of the samples with their sagas, payments, shipments and ledgers.
 *
 * @param orders of which all other lists are
 * @param payments null where they are not checked
 * @param shipments to the customer; null where they are not checked
 * @param gateway its ledger; null where it is not the simulated one
 */
record CheckedOrders(
    List<Order> orders,
    @Nullable List<Entry> payments,
    @Nullable List<Entry> shipments,
    @Nullable List<Entry> gateway) {

  static final String SAGA = "an order is as its saga";
  static final String PAYMENT = "a confirmed order is paid, and no other";
  static final String SHIPMENT = "a confirmed order is shipped, and no cancelled one";
  static final String ONE_CHARGE = "an order is charged once and refunded once";
  static final String LEDGER = "the gateway keeps the amount of a confirmed order, and of no other";

  /** Which status an order's saga has. */
  private static final Map<String, String> ENDS =
      Map.of("CONFIRMED", "COMPLETED", "RETURNED", "COMPLETED", "CANCELLED", "COMPENSATED");

  /**
   * An order.
   *
   * @param saga the status of its saga; null if that was deleted
   */
  record Order(String id, String status, long amount, @Nullable String saga) {

    boolean isOpen() {
      return status.equals("PENDING");
    }

    boolean isKept() {
      return status.equals("CONFIRMED");
    }
  }

  /** A payment, a shipment, or a line of a ledger; its kind is the status or the kind there. */
  record Entry(String order, String kind, long amount) {}

  List<Finding> check(String database) {
    List<Finding> findings = new ArrayList<>();
    for (Order order : orders) {
      String end = ENDS.get(order.status());
      if (order.saga() != null
          && !order.saga().equals(end)
          && !(order.isOpen() && isOpen(order.saga()))) {
        findings.add(found(SAGA, database, order, "its saga is " + order.saga()));
      }
    }
    compare(payments, database, PAYMENT, findings, CheckedOrders::isPaidAsItShould);
    compare(shipments, database, SHIPMENT, findings, CheckedOrders::isShippedAsItShould);
    compare(gateway, database, ONE_CHARGE, findings, CheckedOrders::isChargedOnce);
    compare(gateway, database, LEDGER, findings, CheckedOrders::isBooked);
    return findings;
  }

  private static boolean isOpen(String saga) {
    return !ENDS.containsValue(saga);
  }

  /** Whether the entries of an order are as they should be. */
  private interface Expectation {
    boolean holds(Order order, List<Entry> entries);
  }

  private void compare(
      @Nullable List<Entry> entries,
      String database,
      String law,
      List<Finding> findings,
      Expectation expectation) {
    if (entries == null) {
      return;
    }
    Map<String, List<Entry>> byOrder = entries.stream().collect(groupingBy(Entry::order));
    for (Order order : orders) {
      List<Entry> its = byOrder.getOrDefault(order.id(), List.of());
      if (!order.isOpen() && !expectation.holds(order, its)) {
        findings.add(found(law, database, order, its.toString()));
      }
    }
  }

  private static Finding found(String law, String database, Order order, String evidence) {
    return new Finding(
        law,
        database,
        order.id(),
        "%s of %s, and %s".formatted(order.status(), order.amount(), evidence));
  }

  private static boolean isPaidAsItShould(Order order, List<Entry> payments) {
    return sum(payments, "PROCESSED") == (order.isKept() ? order.amount() : 0);
  }

  private static boolean isShippedAsItShould(Order order, List<Entry> shipments) {
    return count(shipments, "ARRANGED") == (order.status().equals("CANCELLED") ? 0 : 1);
  }

  private static boolean isChargedOnce(Order order, List<Entry> ledger) {
    return count(ledger, "CHARGE") <= 1 && count(ledger, "REFUND") <= 1;
  }

  private static boolean isBooked(Order order, List<Entry> ledger) {
    return !isChargedOnce(order, ledger)
        || sum(ledger, "CHARGE") - sum(ledger, "REFUND") == (order.isKept() ? order.amount() : 0);
  }

  private static long sum(List<Entry> entries, String kind) {
    return entries.stream().filter(it -> it.kind().equals(kind)).mapToLong(Entry::amount).sum();
  }

  private static long count(List<Entry> entries, String kind) {
    return entries.stream().filter(it -> it.kind().equals(kind)).count();
  }
}
