package io.onceflow.systemtests.chaos.run;

import io.onceflow.systemtests.chaos.stack.Replica;
import io.onceflow.systemtests.chaos.world.World;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;

/** Rows that cannot be handled, planted behind the services' backs. */
final class PoisonFaults {

  private static final String ORDERS = "orders";
  private static final String PAYMENTS = "payments";

  /** Marks the planted outbox rows, so that they are found again. */
  private static final String PLANTED = World.PART_OF_CHAOS + "planted";

  private static final int POISONED_SAGAS = 3;

  /** An exchange that is not there, a routing key without a queue, and headers that are none. */
  private static final String PLANT_OUTBOX_ROW =
      """
      INSERT INTO outbox_message
             (id, aggregatetype, aggregateid, type, payload, exchange, routing_key, headers, created_at)
      VALUES (?::uuid, 'order', '%s', 'ChaosPlanted', '{}', ?, 'nowhere.at.all', ?::jsonb,
              now() - interval '1 hour')
      """
          .formatted(PLANTED);

  private static final String PLANT_INBOX_ROW =
      """
      INSERT INTO inbox_message
             (scope, step_key, fingerprint, status, lease_expires_at, envelope)
      VALUES ('%s', ?, '\\x00', 'STARTED', now() - interval '1 hour', ?::json)
      """
          .formatted(World.NONSENSE);

  private static final String POISON =
      """
      UPDATE orders
      SET    items = '{"not": "a list"}', shipping_address = '[]'
      WHERE  id = ?::uuid
      """;

  /** At the head of all that is due. */
  private static final String MAKE_DUE =
      """
      UPDATE saga_instance
      SET    next_action_at = now() - interval '1 day'
      WHERE  subject_id = ?::uuid
      AND    ended_at IS NULL
      """;

  private static final String CURE =
      """
      UPDATE orders
      SET    items = ?::jsonb, shipping_address = ?::jsonb
      WHERE  id = ?::uuid
      """;

  private final Tables tables;
  private final Api api;
  private final List<Poisoned> poisoned = new CopyOnWriteArrayList<>();

  /** An order whose row holds garbage, and what it held before. */
  private record Poisoned(String orderId, String items, String address) {}

  PoisonFaults(Tables tables, Api api) {
    this.tables = tables;
    this.api = api;
  }

  /** Messages that cannot be published, and a step that cannot be taken up again. */
  String rows(Duration lasting) {
    tables.update(ORDERS, PLANT_OUTBOX_ROW, id(), "onceflow.nowhere", "{}");
    tables.update(ORDERS, PLANT_OUTBOX_ROW, id(), "onceflow.commands", "{}");
    tables.update(PAYMENTS, PLANT_OUTBOX_ROW, id(), "onceflow.replies", "[\"no\", \"header\"]");
    tables.update(PAYMENTS, PLANT_INBOX_ROW, id() + ":process-payment", "[\"no envelope\"]");
    tables.update(PAYMENTS, PLANT_INBOX_ROW, id() + ":refund-payment", "{\"type\": 1}");
    Pauses.of(lasting.toMillis());
    removePlanted();
    return "5 rows";
  }

  private void removePlanted() {
    for (String database : List.of(ORDERS, PAYMENTS)) {
      tables.update(database, "DELETE FROM outbox_message WHERE aggregateid = ?", PLANTED);
      tables.update(database, "DELETE FROM inbox_message WHERE scope = ?", World.NONSENSE);
    }
  }

  /** Orders under way become unreadable, and their sagas due. Later both are as they were. */
  String sagas(Duration lasting) throws IOException {
    List<Poisoned> own = new ArrayList<>();
    for (int i = 0; i < POISONED_SAGAS; i++) {
      Api.Answer answer = api.post(World.POISONED, id(), "/orders", Wish.of("pm_sim_slow").json());
      if (answer.status() == 201) {
        own.add(poison(Payloads.text(answer.body(), "id")));
      }
    }
    Pauses.of(lasting.toMillis());
    own.forEach(this::cure);
    return own.size() + " sagas";
  }

  private Poisoned poison(String orderId) {
    Poisoned one =
        tables
            .rows(
                ORDERS,
                "SELECT items::text, shipping_address::text FROM orders WHERE id = ?::uuid",
                row -> new Poisoned(orderId, row.getString(1), row.getString(2)),
                orderId)
            .getFirst();
    poisoned.add(one);
    tables.update(ORDERS, POISON, orderId);
    tables.update(ORDERS, MAKE_DUE, orderId);
    return one;
  }

  private void cure(Poisoned one) {
    tables.update(ORDERS, CURE, one.items(), one.address(), one.orderId());
  }

  /** Removes what is still planted, and has an operator retry each saga that was poisoned. */
  void heal(Replica orderService, String operatorToken) throws IOException {
    removePlanted();
    for (Poisoned one : poisoned) {
      cure(one);
      for (String sagaId : openSagas(one.orderId())) {
        api.operate(orderService, operatorToken, "/sagas/" + sagaId + "/retry");
      }
    }
  }

  private List<String> openSagas(String orderId) {
    return tables.rows(
        ORDERS,
        "SELECT id FROM saga_instance WHERE subject_id = ?::uuid AND ended_at IS NULL",
        row -> row.getString(1),
        orderId);
  }

  private static String id() {
    return UUID.randomUUID().toString();
  }
}
