package io.onceflow.systemtests;

import static org.awaitility.Awaitility.await;

import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The shipping service dies as by {@code kill -9} around its requests to EasyPost. Whatever it had
 * not written down, one label is bought, and refunded at most once.
 */
@Tag("nightly")
@SystemTest
class EasyPostCrashTest {

  private static final Stack STACK = Stack.get();
  private static final OrderForm BOUGHT_SLOWLY = OrderForm.GOOD.shippedToPostalCode("SIM-SLOW");

  private static EasyPostShipping shipping;

  private final Customer customer = STACK.newCustomer();

  @BeforeAll
  static void shipByEasyPost() {
    shipping = new EasyPostShipping(STACK);
  }

  @AfterEach
  void mend() {
    shipping.faults().none();
    STACK.heal();
  }

  @AfterAll
  static void shipByTheSimulationAgain() {
    shipping.close();
  }

  @Test
  void beforeAShipmentIsMade() {
    shipping.faults().latencyMillis(1_500);
    Order order = customer.places(OrderForm.GOOD);
    shipping.awaitNoted(order, "shipment_id IS NULL");

    crash();

    order.awaitConfirmed();
    shipping.expect(order, 1, 0);
  }

  /** The shipment is made, and not written down: its reference finds it. */
  @Test
  void afterAShipmentIsMade() {
    shipping.faults().latencyMillis(500);
    Order order = customer.places(OrderForm.GOOD);
    await("a shipment is made")
        .pollInterval(Duration.ofMillis(2))
        .atMost(Duration.ofMinutes(1))
        .until(() -> shipping.shipments(order).size() == 1);

    crash();

    order.awaitConfirmed();
    shipping.expect(order, 1, 0);
  }

  /** The request to buy is on its way while the process dies, and buys after that. */
  @Test
  void whileALabelIsBought() {
    Order order = customer.places(BOUGHT_SLOWLY);
    shipping.awaitNoted(order, "buy_at IS NOT NULL");
    STACK.shipping().kill();
    shipping.awaitLabels(order, 1);
    STACK.heal();

    order.awaitConfirmed();
    shipping.expect(order, 1, 0);
  }

  /** The label is bought, and what became of it is not yet written down. */
  @Test
  void afterALabelIsBought() {
    for (int i = 0; i < 3; i++) {
      Order order = customer.places(OrderForm.GOOD);
      shipping.awaitLabels(order, 1);

      crash();

      order.awaitConfirmed();
      shipping.expect(order, 1, 0);
    }
  }

  /** The tracking code is written down, and perhaps not yet the step's result. */
  @Test
  void beforeTheResultIsCommitted() {
    for (int i = 0; i < 3; i++) {
      Order order = customer.places(OrderForm.GOOD);
      shipping.awaitNoted(order, "tracking_code IS NOT NULL");

      crash();

      order.awaitConfirmed();
      shipping.expect(order, 1, 0);
    }
  }

  /**
   * The customer cancels while the label is bought: it is refunded, and the process dies at that.
   */
  @Test
  void whileALabelIsRefunded() {
    Order order = customer.places(BOUGHT_SLOWLY);
    shipping.awaitNoted(order, "buy_at IS NOT NULL");
    customer.cancel(order, Customer.newKey());
    shipping.awaitNoted(order, "given_up");

    crash();

    EasyPostShipping.awaitStatus(order, "CANCELLED");
    shipping.expect(order, 1, 1);
  }

  private static void crash() {
    STACK.shipping().kill();
    shipping.faults().none();
    STACK.heal();
  }
}
