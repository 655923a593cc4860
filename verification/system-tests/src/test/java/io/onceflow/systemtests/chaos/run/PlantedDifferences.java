package io.onceflow.systemtests.chaos.run;

import io.onceflow.systemtests.chaos.stack.Carrier;
import io.onceflow.systemtests.chaos.stack.Cluster;
import io.onceflow.systemtests.chaos.stack.Gateway;
import io.onceflow.systemtests.chaos.world.World;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.UUID;

/**
 * What goes wrong with books behind the services' backs: charges and bookings by hand, refunds by
 * hand, and rows that are altered, or gone since a backup was restored.
 */
final class PlantedDifferences {

  private static final int OF_EACH_KIND = 3;

  private static final String PAYMENTS = "payments";
  private static final String SHIPPING = "shipping";
  private static final String PAYMENTS_GATEWAY = "payments-gateway";
  private static final String SHIPMENTS_CARRIER = "shipments-carrier";
  private static final String ORDERS_PAYMENTS = "orders-payments";

  private static final String DATE_RIGHT = "UPDATE %s.ledger SET at = now() WHERE at > now()";

  private static final String CHARGE =
      """
      INSERT INTO simulated_gateway.ledger
             (customer, idempotency_key, kind, reference, order_id, amount, currency)
      VALUES ('somebody', ?, 'CHARGE', ?, gen_random_uuid(), 500, 'EUR')
      """;

  private static final String REFUND =
      """
      INSERT INTO simulated_gateway.ledger
             (customer, idempotency_key, kind, reference, order_id, amount, currency)
      SELECT 'somebody', ?, 'REFUND', reference, order_id, 1, currency
      FROM   simulated_gateway.ledger
      WHERE  reference = ?
      AND    kind = 'CHARGE'
      """;

  private static final String BOOK =
      """
      INSERT INTO simulated_carrier.ledger
             (customer, idempotency_key, kind, tracking_number, order_id)
      VALUES ('somebody', ?, 'BOOKING', ?, gen_random_uuid())
      """;

  private static final String ALTER_PAYMENT =
      "UPDATE payment SET amount = amount + 1 WHERE order_id = ?::uuid";

  private static final String LOSE_PAYMENT = "DELETE FROM payment WHERE order_id = ?::uuid";

  private static final String ALTER_SHIPMENT =
      "UPDATE shipment SET tracking_number = ? WHERE order_id = ?::uuid";

  private final Tables tables;
  private final Gateway gateway;
  private final Carrier carrier;
  private final Random random;
  private final Set<World.Difference> planted = new HashSet<>();

  PlantedDifferences(Tables tables, Cluster cluster, long seed) {
    this.tables = tables;
    this.gateway = cluster.gateway();
    this.carrier = cluster.carrier();
    this.random = new Random(seed);
  }

  /**
   * Plants some of each kind, at orders that are chosen at random.
   *
   * @return what has to be found
   */
  Set<World.Difference> plant(List<World.Order> orders) {
    List<String> confirmed =
        new ArrayList<>(
            orders.stream()
                .filter(it -> it.status().equals("CONFIRMED"))
                .map(World.Order::id)
                .sorted()
                .toList());
    Collections.shuffle(confirmed, random);
    dateRight();
    Iterator<String> next = confirmed.iterator();
    for (int i = 0; i < OF_EACH_KIND; i++) {
      chargeByHand();
      bookByHand();
      List<Planting> atOrders =
          List.of(this::refundByHand, this::alterPayment, this::losePayment, this::alterShipment);
      for (Planting planting : atOrders) {
        if (next.hasNext()) {
          planting.at(next.next());
        }
      }
    }
    return planted;
  }

  /**
   * The outside has a clock of its own; the simulated one has that of a database, which chaos sets
   * an hour ahead. What is dated later than now is not compared yet.
   */
  private void dateRight() {
    tables.update(PAYMENTS, DATE_RIGHT.formatted("simulated_gateway"));
    tables.update(SHIPPING, DATE_RIGHT.formatted("simulated_carrier"));
  }

  /** Something that goes wrong with an order. */
  private interface Planting {
    void at(String orderId);
  }

  private void chargeByHand() {
    String charge = gateway.chargeByHand().orElseGet(() -> insert(PAYMENTS, CHARGE));
    expect(PAYMENTS_GATEWAY, "MISSING_HERE", charge);
  }

  private void bookByHand() {
    String booking = carrier.bookByHand().orElseGet(() -> insert(SHIPPING, BOOK));
    expect(SHIPMENTS_CARRIER, "MISSING_HERE", booking);
  }

  /** Returns the reference of the new entry, which is its key as well. */
  private String insert(String database, String entry) {
    String reference = "by-hand-" + UUID.randomUUID();
    tables.update(database, entry, reference, reference);
    return reference;
  }

  private void refundByHand(String orderId) {
    String charge = charge(orderId);
    if (gateway.refundByHand(charge).isEmpty()) {
      tables.update(PAYMENTS, REFUND, "refund-by-hand-" + charge, charge);
    }
    expect(PAYMENTS_GATEWAY, "STATE", charge);
  }

  private void alterPayment(String orderId) {
    tables.update(PAYMENTS, ALTER_PAYMENT, orderId);
    expect(PAYMENTS_GATEWAY, "AMOUNT", charge(orderId));
    expect(ORDERS_PAYMENTS, "AMOUNT", orderId);
  }

  private void losePayment(String orderId) {
    String charge = charge(orderId);
    tables.update(PAYMENTS, LOSE_PAYMENT, orderId);
    expect(PAYMENTS_GATEWAY, "MISSING_HERE", charge);
    expect(ORDERS_PAYMENTS, "MISSING_THERE", orderId);
  }

  private void alterShipment(String orderId) {
    String number = "ALTERED-" + UUID.randomUUID();
    expect(SHIPMENTS_CARRIER, "MISSING_HERE", trackingNumber(orderId));
    tables.update(SHIPPING, ALTER_SHIPMENT, number, orderId);
    expect(SHIPMENTS_CARRIER, "MISSING_THERE", number);
  }

  private String charge(String orderId) {
    return text(
        PAYMENTS, "SELECT gateway_reference FROM payment WHERE order_id = ?::uuid", orderId);
  }

  private String trackingNumber(String orderId) {
    return text(SHIPPING, "SELECT tracking_number FROM shipment WHERE order_id = ?::uuid", orderId);
  }

  private String text(String database, String query, String orderId) {
    return tables.rows(database, query, row -> row.getString(1), orderId).getFirst();
  }

  private void expect(String comparison, String kind, String reference) {
    planted.add(new World.Difference(comparison, kind, reference));
  }
}
