package io.onceflow.systemtests.chaos.run;

import io.onceflow.systemtests.StripeBooks;
import io.onceflow.systemtests.chaos.stack.Cluster;
import io.onceflow.systemtests.chaos.stack.Gateway;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Tells all that can be found out about an order, across customers, services and messages. */
final class Story {

  /** Of each of these the rows about an order are told; the parameter is the order's id. */
  private static final List<Part> ABOUT =
      List.of(
          new Part(
              "orders",
              "orders",
              "SELECT id, customer, status, cancellation_reason, total_amount, "
                  + "payment_id, payment_status, gateway_reference, shipment_id, shipment_status, "
                  + "created_at FROM orders WHERE id = ?::uuid"),
          new Part(
              "orders", "saga_instance", "SELECT * FROM saga_instance WHERE subject_id = ?::uuid"),
          new Part(
              "orders",
              "saga_step",
              "SELECT s.* FROM saga_step s JOIN saga_instance i "
                  + "ON i.id = s.saga_id WHERE i.subject_id = ?::uuid ORDER BY s.position"),
          new Part(
              "orders",
              "saga_history",
              "SELECT h.at, h.revision, h.event, h.step, h.detail "
                  + "FROM saga_history h JOIN saga_instance i ON i.id = h.saga_id "
                  + "WHERE i.subject_id = ?::uuid ORDER BY h.revision, h.position"),
          new Part("payments", "payment", "SELECT * FROM payment WHERE order_id = ?::uuid"),
          new Part(
              "payments",
              "simulated_gateway.ledger",
              "SELECT * FROM simulated_gateway.ledger WHERE order_id = ?::uuid ORDER BY id"),
          new Part("shipping", "shipment", "SELECT * FROM shipment WHERE order_id = ?::uuid"),
          new Part(
              "shipping",
              "simulated_carrier.ledger",
              "SELECT * FROM simulated_carrier.ledger WHERE order_id = ?::uuid ORDER BY id"));

  /** Rows of a table that are about an order. */
  private record Part(String database, String title, String query) {}

  private final Tables tables;
  private final Gateway gateway;
  private final List<Dealing> dealings;
  private final Wiretap wiretap;

  Story(Cluster cluster, List<Dealing> dealings, Wiretap wiretap) {
    this.tables = new Tables(cluster.backends());
    this.gateway = cluster.gateway();
    this.dealings = dealings;
    this.wiretap = wiretap;
  }

  /** The whole story, as text. */
  String of(String orderId) {
    List<String> lines = new ArrayList<>();
    lines.add("=== order " + orderId + " ===");
    dealings.stream()
        .filter(it -> it.isAbout(orderId))
        .forEach(
            it -> {
              lines.add("-- its customer wished " + it.wish);
              lines.addAll(it.said());
            });
    for (Part part : ABOUT) {
      tell(lines, part.database(), part.title(), part.query(), orderId);
    }
    gateway.stripe().ifPresent(stripe -> tell(lines, stripe, orderId));
    for (String database : Tables.DATABASES.values()) {
      tellMessages(lines, database, orderId);
    }
    lines.add("-- messages that were heard");
    wiretap.about(orderId).stream()
        .map(
            it ->
                "%s %s %s %s"
                    .formatted(
                        it.at(), it.message().type(), it.message().id(), it.message().payload()))
        .forEach(lines::add);
    return String.join("\n", lines);
  }

  private static void tell(List<String> lines, StripeBooks stripe, String orderId) {
    lines.add("-- Stripe's charges and refunds");
    List<StripeBooks.Refund> refunds = stripe.refunds();
    stripe.charges().stream()
        .filter(charge -> charge.orderId().equals(orderId))
        .forEach(
            charge -> {
              lines.add(charge.toString());
              refunds.stream()
                  .filter(refund -> refund.chargeId().equals(charge.id()))
                  .forEach(refund -> lines.add(refund.toString()));
            });
  }

  private void tellMessages(List<String> lines, String database, String orderId) {
    List<String[]> keys =
        tables.rows(
            "orders",
            "SELECT scope, root_key FROM saga_instance WHERE subject_id = ?::uuid",
            row -> new String[] {row.getString(1), row.getString(2)},
            orderId);
    for (String[] key : keys) {
      tell(
          lines,
          database,
          database + " inbox_message",
          "SELECT step_key, status, fencing_token, lease_expires_at, attempts, outcome,"
              + " received_at, completed_at FROM inbox_message WHERE scope = ? AND"
              + " starts_with(step_key, ?) ORDER BY received_at",
          key);
      tell(
          lines,
          database,
          database + " parked_message",
          "SELECT type, reason, detail, attempts, parked_at FROM parked_message WHERE headers ->>"
              + " 'x-idempotency-scope' = ? AND headers ->> 'x-idempotency-key' = ?",
          key);
    }
    tell(
        lines,
        database,
        database + " outbox_message",
        "SELECT id, type, attempts, next_attempt_at, created_at FROM outbox_message"
            + " WHERE aggregateid = ? OR payload::json ->> 'orderId' = ?",
        orderId,
        orderId);
  }

  private void tell(
      List<String> lines, String database, String title, String query, String... parameters) {
    lines.add("-- " + title);
    Stream<String> rows =
        tables
            .rows(
                database,
                "SELECT row_to_json(t)::text FROM (%s) t".formatted(query),
                row -> row.getString(1),
                parameters)
            .stream();
    rows.forEach(lines::add);
  }
}
