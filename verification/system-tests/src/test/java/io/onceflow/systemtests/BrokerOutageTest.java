package io.onceflow.systemtests;

import static org.awaitility.Awaitility.await;

import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A broker that goes away in the middle of sagas. RabbitMQ comes back with what it held; the
 * embedded broker has forgotten everything, queues included, and the commands are sent again.
 */
@SystemTest
@Tag("nightly")
class BrokerOutageTest {

  private static final int BEFORE = 20;
  private static final int MEANWHILE = 10;

  /** Under way for seconds, so that its reply is due while the broker is away. */
  private static final OrderForm SLOW = OrderForm.GOOD.paidBy("pm_sim_slow");

  private final Stack stack = Stack.get();
  private final Customer customer = stack.newCustomer();

  @AfterEach
  void heal() {
    stack.heal();
  }

  @Test
  void ordersAreTakenWhileTheBrokerIsAwayAndAllSagasEnd() {
    IntStream.range(0, BEFORE).forEach(i -> customer.places(i % 2 == 0 ? SLOW : OrderForm.GOOD));
    await("some are paid and some are not")
        .atMost(Order.ENDS_WITHIN)
        .until(() -> charging() > 0 && charged() > 0);

    stack.stopBroker();
    IntStream.range(0, MEANWHILE).forEach(i -> customer.places(OrderForm.GOOD));
    stack.startBroker();

    customer.awaitOrders(BEFORE + MEANWHILE, "CONFIRMED");
    customer.placed().forEach(order -> order.expectPaidAndShippedOnce(OrderForm.GOOD.amount()));
  }

  private long charging() {
    return steps("STARTED");
  }

  private long charged() {
    return steps("COMPLETED");
  }

  private long steps(String status) {
    return stack
        .paymentsDatabase()
        .count(
            "SELECT count(*) FROM inbox_message WHERE status = ? AND scope = ?",
            status,
            customer.name());
  }
}
