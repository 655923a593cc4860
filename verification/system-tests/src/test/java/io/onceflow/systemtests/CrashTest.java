package io.onceflow.systemtests;

import static org.awaitility.Awaitility.await;

import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Services that die in the middle of their work, without a chance to say or write anything. What
 * they are killed over is their own, whichever servers they have; at night each is tried, on both.
 */
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
  @Tag("nightly")
  void theOrderServiceIsKilledWhileOrdersArriveAndSagasRun() {
    CompletableFuture<List<Placed>> placing = placing(PAID_SLOWLY);
    awaitRows(SAGAS, stack.ordersDatabase(), "saga_instance WHERE status = 'RUNNING'");

    crash(stack.orders());

    placing.join().forEach(Placed::awaitEnding);
  }

  @Test
  @Tag("nightly")
  void thePaymentServiceIsKilledWhileItCharges() {
    CompletableFuture<List<Placed>> placing = placing(PAID_SLOWLY);
    awaitRows(CALLS, stack.paymentsDatabase(), "inbox_message WHERE status = 'STARTED'");

    crash(stack.payments());

    placing.join().forEach(Placed::awaitEnding);
  }

  @Test
  @Tag("nightly")
  void theShippingServiceIsKilledWhileItBooks() {
    CompletableFuture<List<Placed>> placing = placing(BOOKED_SLOWLY);
    awaitRows(CALLS, stack.shippingDatabase(), "inbox_message WHERE status = 'STARTED'");

    crash(stack.shipping());

    placing.join().forEach(Placed::awaitEnding);
  }

  @Test
  void allServicesAreKilledTogetherWhileTheyChargeAndBookAndPayBack() {
    CompletableFuture<List<Placed>> placing = placing(PAID_SLOWLY);
    awaitRows(CALLS, stack.paymentsDatabase(), "inbox_message WHERE status = 'STARTED'");
    awaitRows(1, stack.shippingDatabase(), "inbox_message WHERE status = 'COMPLETED'");

    stack.services().forEach(ServiceProcess::kill);
    stack.heal();

    placing.join().forEach(Placed::awaitEnding);
  }

  /**
   * Every other order is a slow one, so that work of every kind is under way at once; of the others
   * some are undone.
   */
  private CompletableFuture<List<Placed>> placing(OrderForm slow) {
    List<Placing> kinds =
        List.of(
            new Placing(slow, Ending.CONFIRMED),
            new Placing(OrderForm.GOOD, Ending.CONFIRMED),
            new Placing(slow, Ending.CONFIRMED),
            new Placing(OrderForm.GOOD.shippedToCountry("AQ"), Ending.REJECTED),
            new Placing(slow, Ending.CONFIRMED),
            new Placing(OrderForm.GOOD.paidBy("pm_sim_lost_answer"), Ending.CONFIRMED));
    return Together.meanwhile(
        CLIENTS, IntStream.range(0, ORDERS).mapToObj(i -> kinds.get(i % kinds.size())).toList());
  }

  /** An order to be placed, however often it takes, and how it is to end. */
  private final class Placing implements Callable<Placed> {

    private final OrderForm form;
    private final Ending ending;

    Placing(OrderForm form, Ending ending) {
      this.form = form;
      this.ending = ending;
    }

    @Override
    public Placed call() {
      return new Placed(customer.insistsOn(form), form, ending);
    }
  }

  /** An order that was placed, and how it is to end. */
  private record Placed(Order order, OrderForm form, Ending ending) {

    void awaitEnding() {
      order.awaitEnding(ending, form.amount());
    }
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
}
