package io.onceflow.systemtests;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Orders that are cancelled at every moment of their lives (rule 10). Which moments these are is
 * drawn from a seed, which is printed; the environment variable {@code ONCEFLOW_SEED} sets it. Who
 * wins is decided by rows of PostgreSQL, which is the same on both stacks.
 */
@Tag("nightly")
@SystemTest
class CancelStormTest {

  private static final int ORDERS = 200;
  private static final int CLIENTS = 40;

  /** One order in so many is cancelled by several requests at the same moment. */
  private static final int ONE_IN = 5;

  private static final int AT_ONCE = 3;

  private static final List<OrderForm> FORMS =
      List.of(
          OrderForm.GOOD,
          OrderForm.GOOD,
          OrderForm.GOOD.paidBy("pm_sim_slow"),
          OrderForm.GOOD.shippedToPostalCode("SIM-SLOW"),
          OrderForm.GOOD.paidBy("pm_sim_lost_answer"),
          OrderForm.GOOD.shippedToPostalCode("SIM-LOST-ANSWER"),
          OrderForm.GOOD.paidBy("pm_sim_unavailable_twice"));

  private final Customer customer = Stack.get().newCustomer();
  private final long seed = seed();

  @Test
  void ordersCancelledAtRandomMomentsEndAsTheyWereAnsweredWithTheMoneyBackExactlyOnce() {
    System.out.printf("%d orders are cancelled at moments of ONCEFLOW_SEED=%d%n", ORDERS, seed);

    List<Cancellation> all =
        Together.inThreads(
            CLIENTS, IntStream.range(0, ORDERS).mapToObj(this::placedAndCancelled).toList());

    all.forEach(it -> it.order().awaitEnded());
    tellOutcomes(all);
    List<Callable<Boolean>> checks =
        all.stream().<Callable<Boolean>>map(it -> () -> check(it)).toList();
    assertThat(Together.inThreads(CLIENTS, checks)).as("cancelled").contains(true, false);
  }

  private Callable<Cancellation> placedAndCancelled(int number) {
    Random random = new Random(seed + number);
    OrderForm form = FORMS.get(random.nextInt(FORMS.size()));
    Moment moment = Moment.random(random);
    int times = random.nextInt(ONE_IN) == 0 ? AT_ONCE : 1;
    return () -> {
      Order order = customer.places(form);
      moment.meet(order);
      return new Cancellation(
          order, form, moment, Together.atTheSameMoment(times, () -> cancel(order)));
    };
  }

  private String cancel(Order order) {
    return Cancellation.outcome(customer.cancel(order, Customer.newKey()));
  }

  private boolean check(Cancellation cancellation) {
    try {
      return cancellation.check(cancel(cancellation.order()));
    } catch (AssertionError e) {
      throw new AssertionError(
          "With ONCEFLOW_SEED=%d: %s%n  %s".formatted(seed, cancellation.history(), e.getMessage()),
          e);
    }
  }

  private static void tellOutcomes(List<Cancellation> all) {
    all.stream()
        .collect(
            Collectors.groupingBy(
                it -> "%s %s".formatted(it.moment(), it.answers().getFirst()),
                TreeMap::new,
                Collectors.counting()))
        .forEach((what, count) -> System.out.printf("%4d %s%n", count, what));
  }

  private static long seed() {
    String chosen = System.getenv("ONCEFLOW_SEED");
    return chosen == null ? System.nanoTime() : Long.parseLong(chosen);
  }
}
