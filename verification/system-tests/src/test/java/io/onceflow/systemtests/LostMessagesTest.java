package io.onceflow.systemtests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A broker that loses all it holds, again and again, in the middle of a hundred sagas: what has
 * been done is told again when it is asked for again (rule 12), and every saga ends.
 *
 * <p>A service that runs takes everything from its queue at once. Each is therefore killed, so that
 * what is meant for it lies in the queue, which is then purged.
 */
@SystemTest
@Tag("nightly")
class LostMessagesTest {

  private static final int ORDERS = 100;
  private static final int CLIENTS = 8;

  /** The middle: so many orders are paid, and the others are not. */
  private static final int PAID = 20;

  /** How many more times all queues are purged while everything runs. */
  private static final int ROUNDS = 4;

  private static final String FOR_PAYMENTS = "payment-service.commands";
  private static final String FOR_SHIPPING = "shipping-service.commands";
  private static final String FOR_ORDERS = "order-service.replies";
  private static final List<String> QUEUES = List.of(FOR_PAYMENTS, FOR_SHIPPING, FOR_ORDERS);

  private final Stack stack = Stack.get();
  private final Customer customer = stack.newCustomer();
  private Broker broker;
  private Tap commands;

  @BeforeEach
  void connect() {
    broker = stack.broker();
    commands = broker.tap(Message.COMMANDS, "payment.#", "shipping.#");
  }

  @AfterEach
  void heal() {
    broker.close();
    stack.heal();
  }

  @Test
  void queuesPurgedInTheMiddleOfAHundredSagasLeaveNoneBehind() {
    stack.payments().kill();
    stack.shipping().kill();
    placeAll();
    loseAtLeast(ORDERS, FOR_PAYMENTS);

    stack.payments().start();
    awaitWaiting(PAID, FOR_SHIPPING);
    stack.orders().kill();
    awaitWaiting(1, FOR_ORDERS);
    loseAtLeast(PAID, FOR_SHIPPING);
    loseAtLeast(1, FOR_ORDERS);
    stack.heal();
    loseEverythingNowAndThen();

    customer.awaitOrders(ORDERS, "CONFIRMED");
    customer.placed().forEach(order -> order.expectPaidAndShippedOnce(OrderForm.GOOD.amount()));
  }

  /** Every other one is paid slowly, so that payments come in for seconds. */
  private void placeAll() {
    OrderForm slow = OrderForm.GOOD.paidBy("pm_sim_slow");
    List<Callable<Order>> orders =
        IntStream.range(0, ORDERS)
            .<Callable<Order>>mapToObj(
                i -> () -> customer.places(i % 2 == 0 ? slow : OrderForm.GOOD))
            .toList();
    Together.inThreads(CLIENTS, orders);
  }

  /** Also loses the messages that are under way between two running services at the moment. */
  private void loseEverythingNowAndThen() {
    for (int round = 1; round <= ROUNDS; round++) {
      int confirmed = round * ORDERS / (ROUNDS + 1);
      await(confirmed + " orders are confirmed")
          .atMost(Order.ENDS_WITHIN)
          .until(() -> confirmed() >= confirmed);
      QUEUES.forEach(broker::purge);
    }
  }

  private int confirmed() {
    return Collections.frequency(
        customer.orders().stream().map(order -> order.get("status")).toList(), "CONFIRMED");
  }

  private void loseAtLeast(int count, String queue) {
    awaitWaiting(count, queue);
    assertThat(broker.purge(queue)).as("lost from " + queue).isPositive();
  }

  /** Commands are counted as they were sent: in the queue several may lie in one pack. */
  private void awaitWaiting(int atLeast, String queue) {
    await("%d messages wait in %s".formatted(atLeast, queue))
        .atMost(Order.ENDS_WITHIN)
        .untilAsserted(
            () -> {
              assertThat(broker.waiting(queue)).isPositive();
              if (!queue.equals(FOR_ORDERS)) {
                assertThat(sentTo(queue)).isGreaterThanOrEqualTo(atLeast);
              }
            });
  }

  private long sentTo(String queue) {
    String routingKeys = queue.equals(FOR_PAYMENTS) ? "payment." : "shipping.";
    return commands.seenOf(customer).stream()
        .filter(message -> message.routingKey().startsWith(routingKeys))
        .count();
  }
}
