package io.onceflow.systemtests.chaos.run;

import static java.util.stream.Collectors.toMap;

import io.onceflow.systemtests.StripeBooks;
import io.onceflow.systemtests.StripeBooks.Charge;
import io.onceflow.systemtests.chaos.stack.Carrier;
import io.onceflow.systemtests.chaos.stack.Gateway;
import io.onceflow.systemtests.chaos.world.World;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The books of gateway and carrier. */
final class Books {

  private static final String LEDGER = "SELECT order_id, kind, %s FROM %s.ledger ORDER BY id";

  private final Tables tables;
  private final Gateway gateway;
  private final Carrier carrier;

  Books(Tables tables, Gateway gateway, Carrier carrier) {
    this.tables = tables;
    this.gateway = gateway;
    this.carrier = carrier;
  }

  /** All charges and refunds. */
  List<World.Entry> gateway() {
    return gateway
        .stripe()
        .map(Books::entries)
        .orElseGet(() -> ledger("payments", "amount", "simulated_gateway"));
  }

  /** All bookings and cancellations. */
  List<World.Entry> carrier() {
    return carrier
        .labels(Wish.RECIPIENT)
        .map(this::parcels)
        .orElseGet(() -> ledger("shipping", "0", "simulated_carrier"));
  }

  /** EasyPost does not know whose order it is: the table of requests has it by the key. */
  private List<World.Entry> parcels(List<Carrier.Label> labels) {
    Map<String, String> orders =
        tables
            .rows(
                "shipping",
                "SELECT key, subject FROM easypost_request",
                row -> Map.entry(row.getString(1), row.getString(2)))
            .stream()
            .collect(toMap(Map.Entry::getKey, Map.Entry::getValue));
    List<World.Entry> entries = new ArrayList<>();
    for (Carrier.Label label : labels) {
      String order = orders.getOrDefault(label.reference(), label.reference());
      entries.add(new World.Entry(order, "BOOKING", 0));
      if (label.isRefunded()) {
        entries.add(new World.Entry(order, "CANCELLATION", 0));
      }
    }
    return entries;
  }

  private static List<World.Entry> entries(StripeBooks stripe) {
    List<Charge> charges = stripe.charges();
    Map<String, String> orders = charges.stream().collect(toMap(Charge::id, Charge::orderId));
    List<World.Entry> entries = new ArrayList<>();
    charges.forEach(it -> entries.add(new World.Entry(it.orderId(), "CHARGE", it.amount())));
    stripe
        .refunds()
        .forEach(
            it ->
                entries.add(
                    new World.Entry(
                        orders.getOrDefault(it.chargeId(), it.chargeId()), "REFUND", it.amount())));
    return entries;
  }

  private List<World.Entry> ledger(String database, String amount, String schema) {
    return tables.rows(
        database,
        LEDGER.formatted(amount, schema),
        row -> new World.Entry(row.getString(1), row.getString(2), row.getLong(3)));
  }
}
