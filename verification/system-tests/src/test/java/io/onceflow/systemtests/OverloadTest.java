package io.onceflow.systemtests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Orders come in much faster than they can be processed. The bounds are so low, and the gateway is
 * so slow, that this is an overload on every machine.
 */
@Tag("nightly")
@SystemTest
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class OverloadTest {

  private static final int MOST_IN_HAND = 8;
  private static final int MOST_SAGAS = 40;
  private static final int MOST_MESSAGES = 60;

  /** Of each order, when it is placed: its event and its first command. */
  private static final int MESSAGES_OF_AN_ORDER = 2;

  private static final double PER_SECOND = 60;
  private static final Duration LENGTH = Duration.ofSeconds(6);

  /** Each takes three seconds to be paid, twelve at once: four a second are what can be done. */
  private static final OrderForm SLOW = OrderForm.GOOD.paidBy("pm_sim_slow");

  /** Of a process that has just started, the first requests say nothing. */
  private static final int WARMING_UP = 20;

  private static final double BOUNDED_MS = 5_000;

  private final Stack stack = Stack.get();
  private final Customer customer = stack.newCustomer();

  @AfterEach
  void heal() {
    stack.startBroker();
    configure(Map.of());
  }

  @Test
  void twiceAsMuchAndMoreIsShedAndWhatIsAcceptedIsDone() throws Exception {
    configure(
        Map.of(
            "ONCEFLOW_ADMISSION_MOST_IN_HAND", Integer.toString(MOST_IN_HAND),
            "ONCEFLOW_SAGA_MOST_UNDER_WAY", Integer.toString(MOST_SAGAS),
            // One customer sends them all.
            "ONCEFLOW_ADMISSION_CALLER_SHARE", "1"));
    warmUp();

    Flood flood = flood(SLOW, "overload");

    expectOnlyAcceptedOrShed(flood);
    assertThat(flood.highest(Curve.Of.SAGAS)).isLessThanOrEqualTo(MOST_SAGAS + MOST_IN_HAND);
    assertThat(flood.highest(Curve.Of.OUTBOX))
        .isLessThanOrEqualTo(MESSAGES_OF_AN_ORDER * (MOST_SAGAS + MOST_IN_HAND));
    expectToComeBackByItself(flood);
  }

  @Test
  void whileTheBrokerIsAwayTheOutboxIsBounded() throws Exception {
    configure(
        Map.of(
            "ONCEFLOW_ADMISSION_MOST_IN_HAND", Integer.toString(MOST_IN_HAND),
            "ONCEFLOW_OUTBOX_MOST_WAITING", Integer.toString(MOST_MESSAGES),
            "ONCEFLOW_ADMISSION_CALLER_SHARE", "1"));
    warmUp();
    stack.stopBroker();

    Flood flood = flood(OrderForm.GOOD, "overload-without-broker");

    expectOnlyAcceptedOrShed(flood);
    assertThat(flood.highest(Curve.Of.OUTBOX))
        .isBetween(
            (long) MOST_MESSAGES, (long) MESSAGES_OF_AN_ORDER * (MOST_MESSAGES + MOST_IN_HAND));
    stack.startBroker();
    expectToComeBackByItself(flood);
  }

  private Flood flood(OrderForm form, String called) throws IOException, InterruptedException {
    try (Flood flood = new Flood(stack, customer, form)) {
      flood.run(PER_SECOND, LENGTH);
      flood.write(Project.output().resolve(called + ".svg"));
      System.out.println(flood);
      return flood;
    }
  }

  private static void expectOnlyAcceptedOrShed(Flood flood) {
    assertThat(flood.others()).as("answers that are neither 201 nor 429 nor 503").isEmpty();
    assertThat(flood.accepted()).isNotEmpty();
    assertThat(flood.shed()).isPositive();
    assertThat(flood.p99Ms()).as("p99 of what was accepted").isLessThan(BOUNDED_MS);
  }

  private void expectToComeBackByItself(Flood flood) {
    await("an order is taken again")
        .atMost(Order.ENDS_WITHIN)
        .until(
            () ->
                customer.post(OrderForm.GOOD.json(), flood.aKeyThatWasShed()).statusCode() == 201);
    int all = WARMING_UP + flood.accepted().size() + 1;
    await(all + " orders are confirmed")
        .atMost(Order.ENDS_WITHIN)
        .untilAsserted(() -> assertThat(orders(" AND status = 'CONFIRMED'")).isEqualTo(all));
    assertThat(orders("")).as("nothing is left of those that were shed").isEqualTo(all);
    assertThat(
            stack
                .ordersDatabase()
                .count("SELECT count(*) FROM idempotency_record WHERE scope = ?", customer.name()))
        .isEqualTo(all);
  }

  private long orders(String and) {
    return stack
        .ordersDatabase()
        .count("SELECT count(*) FROM orders WHERE customer = ?" + and, customer.name());
  }

  private void warmUp() {
    for (int i = 0; i < WARMING_UP; i++) {
      customer.insistsOn(OrderForm.GOOD);
    }
    customer.awaitOrders(WARMING_UP, "CONFIRMED");
  }

  private void configure(Map<String, String> settings) {
    stack.orders().kill();
    stack.orders().configure(settings);
    stack.heal();
  }
}
