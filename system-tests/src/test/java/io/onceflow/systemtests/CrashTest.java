package io.onceflow.systemtests;

import static org.awaitility.Awaitility.await;

import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Services that die in the middle of their work, without a chance to say or write anything. */
@SystemTest
class CrashTest {

  private static final int ORDERS = 50;
  private static final int CLIENTS = 8;

  /** So many sagas are under way when the order service dies, and the other orders still arrive. */
  private static final int SAGAS = 20;

  /** So many calls to the outside world are, when one of the others dies; more than that wait. */
  private static final int CALLS = 10;

  private static final OrderForm PAID_SLOWLY = OrderForm.GOOD.paidBy("pm_sim_slow");
  private static final OrderForm BOOKED_SLOWLY = OrderForm.GOOD.shippedToPostalCode("SIM-SLOW");

  private final Stack stack = Stack.get();
  private final Customer customer = stack.newCustomer();

  @AfterEach
  void heal() {
    stack.heal();
  }

  @Test
  void theOrderServiceIsKilledWhileOrdersArriveAndSagasRun() {
    CompletableFuture<List<Order>> placing = placing(PAID_SLOWLY);
    awaitRows(SAGAS, stack.ordersDatabase(), "saga_instance WHERE status = 'RUNNING'");

    crash(stack.orders());

    placing.join();
    expectAllThroughOnce();
  }

  @Test
  void thePaymentServiceIsKilledWhileItCharges() {
    CompletableFuture<List<Order>> placing = placing(PAID_SLOWLY);
    awaitRows(CALLS, stack.paymentsDatabase(), "inbox_message WHERE status = 'STARTED'");

    crash(stack.payments());

    placing.join();
    expectAllThroughOnce();
  }

  @Test
  void theShippingServiceIsKilledWhileItBooks() {
    CompletableFuture<List<Order>> placing = placing(BOOKED_SLOWLY);
    awaitRows(CALLS, stack.shippingDatabase(), "inbox_message WHERE status = 'STARTED'");

    crash(stack.shipping());

    placing.join();
    expectAllThroughOnce();
  }

  /** Every other order is a slow one, so that work of every kind is under way at once. */
  private CompletableFuture<List<Order>> placing(OrderForm slow) {
    List<Callable<Order>> orders =
        IntStream.range(0, ORDERS)
            .mapToObj(i -> i % 2 == 0 ? slow : OrderForm.GOOD)
            .<Callable<Order>>map(form -> () -> customer.insistsOn(form))
            .toList();
    return Together.meanwhile(CLIENTS, orders);
  }

  private void awaitRows(int atLeast, Database database, String rows) {
    String count = "SELECT count(*) FROM %s AND scope = ?".formatted(rows);
    await(atLeast + " " + rows)
        .atMost(Order.ENDS_WITHIN)
        .until(() -> database.count(count, customer.name()) >= atLeast);
  }

  private static void crash(ServiceProcess service) {
    service.kill();
    service.start();
    service.awaitReady();
  }

  private void expectAllThroughOnce() {
    customer.awaitOrders(ORDERS, "CONFIRMED");
    customer.placed().forEach(order -> order.expectPaidAndShippedOnce(OrderForm.GOOD.amount()));
  }
}
