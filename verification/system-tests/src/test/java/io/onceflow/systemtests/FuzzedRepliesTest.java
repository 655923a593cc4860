package io.onceflow.systemtests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Replies to orders that are being paid, each of which differs from the genuine one in something
 * that chance chooses: its sender, step, origin, scope, root key, order, amount or currency.
 */
@Tag("nightly")
@SystemTest
class FuzzedRepliesTest {

  private static final int INPUTS = 200;
  private static final int ORDERS = 5;
  private static final Duration PARKED_WITHIN = Duration.ofMinutes(2);

  /** Each is under way for three seconds. */
  private static final OrderForm SLOW = OrderForm.GOOD.paidBy("pm_sim_slow");

  private static final String PARKED =
      "SELECT message_id FROM parked_message WHERE message_id LIKE ? AND reason = 'reply-mismatch'";

  private final Stack stack = Stack.getAsShipped();
  private final Customer customer = stack.newCustomer();
  private final String prefix = "forged-" + UUID.randomUUID() + "-";

  @Test
  void noForgedReplyMovesASagaAndAllAreParked() {
    FuzzSettings settings = FuzzSettings.ofRun(INPUTS);
    Map<Order, String> keys = new LinkedHashMap<>();
    for (int i = 0; i < ORDERS; i++) {
      String key = Customer.newKey();
      keys.put(customer.places(SLOW, key), key);
    }
    List<Order> orders = List.copyOf(keys.keySet());
    Map<String, String> sagas = new LinkedHashMap<>();
    orders.forEach(order -> sagas.put(order.id(), order.saga().getString("id")));
    Map<String, ForgedReply> forged = new LinkedHashMap<>();
    settings
        .numbers()
        .forEach(
            i -> {
              Dice dice = new Dice(settings.seed(), i);
              Order order = dice.oneOf(orders);
              String id = prefix + i;
              forged.put(
                  id, ForgedReply.of(order, sagas.get(order.id()), keys.get(order), id, dice));
            });

    try (Broker broker = stack.broker()) {
      broker.publishAgain(1, forged.values().stream().map(ForgedReply::message).toList());
    }

    awaitParked(forged);
    orders.forEach(order -> order.awaitConfirmed().expectPaidAndShippedOnce(SLOW.amount()));
    assertThat(orders)
        .allSatisfy(order -> assertThat(order.sagaText()).doesNotContain("ch_forged"));
  }

  private void awaitParked(Map<String, ForgedReply> forged) {
    await("all forged replies are parked")
        .atMost(PARKED_WITHIN)
        .untilAsserted(
            () -> {
              Map<String, ForgedReply> missing = new LinkedHashMap<>(forged);
              missing.keySet().removeAll(stack.ordersDatabase().texts(PARKED, prefix + "%"));
              assertThat(missing.values().stream().map(ForgedReply::wrong).limit(5)).isEmpty();
            });
  }
}
