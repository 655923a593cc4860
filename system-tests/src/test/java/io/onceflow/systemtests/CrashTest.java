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

  /** How many have to be under way before the service dies: enough to be amid all kinds of work. */
  private static final int UNDER_WAY = 10;

  private final Stack stack = Stack.get();
  private final Customer customer = stack.newCustomer();

  @AfterEach
  void heal() {
    stack.heal();
  }

  @Test
  void theOrderServiceIsKilledWhileOrdersArriveAndSagasRun() {
    CompletableFuture<List<Order>> placing = placing(OrderForm.GOOD);
    awaitRows(stack.ordersDatabase(), "orders WHERE customer = ?", UNDER_WAY);

    crash(stack.orders());

    placing.join();
    expectAllThroughOnce();
  }

  @Test
  void thePaymentServiceIsKilledWhileItCharges() {
    CompletableFuture<List<Order>> placing = placing(OrderForm.GOOD.paidBy("pm_sim_slow"));
    awaitRows(
        stack.paymentsDatabase(),
        "inbox_message WHERE status = 'STARTED' AND scope = ?",
        UNDER_WAY);

    crash(stack.payments());

    placing.join();
    expectAllThroughOnce();
  }

  @Test
  void theShippingServiceIsKilledWhileItBooks() {
    CompletableFuture<List<Order>> placing =
        placing(OrderForm.GOOD.shippedToPostalCode("SIM-SLOW"));
    awaitRows(
        stack.shippingDatabase(),
        "inbox_message WHERE status = 'STARTED' AND scope = ?",
        UNDER_WAY);

    crash(stack.shipping());

    placing.join();
    expectAllThroughOnce();
  }

  /** Every other order is of the given kind, so that quick and slow work is under way at once. */
  private CompletableFuture<List<Order>> placing(OrderForm special) {
    List<Callable<Order>> orders =
        IntStream.range(0, ORDERS)
            .mapToObj(i -> i % 2 == 0 ? special : OrderForm.GOOD)
            .<Callable<Order>>map(form -> () -> customer.insistsOn(form))
            .toList();
    return CompletableFuture.supplyAsync(() -> Together.inThreads(CLIENTS, orders));
  }

  private void awaitRows(Database database, String rows, int atLeast) {
    await(atLeast + " " + rows)
        .atMost(Order.ENDS_WITHIN)
        .until(() -> database.count("SELECT count(*) FROM " + rows, customer.name()) >= atLeast);
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
