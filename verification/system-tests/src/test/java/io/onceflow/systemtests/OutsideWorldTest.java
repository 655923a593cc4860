package io.onceflow.systemtests;

import static java.util.stream.Collectors.toMap;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Everything that the simulated gateway and carrier can do to an order, and how it ends. All orders
 * are under way side by side: those whose outside is down need the better part of a minute.
 */
@Tag("nightly")
@SystemTest
@TestInstance(Lifecycle.PER_CLASS)
class OutsideWorldTest {

  /** Of each kind; they meet each other's retries. */
  private static final int EACH = 3;

  private final Customer customer = Stack.get().newCustomer();
  private Map<Behaviour, List<Order>> placed = Map.of();

  /** What an outside does, and how an order then ends. */
  enum Behaviour {
    GATEWAY_CHARGES(OrderForm.GOOD, Ending.CONFIRMED),
    GATEWAY_DECLINES(paidBy("pm_card_chargeDeclined"), Ending.DECLINED),
    GATEWAY_LACKS_FUNDS(paidBy("pm_card_chargeDeclinedInsufficientFunds"), Ending.DECLINED),
    GATEWAY_LOSES_ITS_FIRST_ANSWER(paidBy("pm_sim_lost_answer"), Ending.CONFIRMED),
    GATEWAY_IS_UNAVAILABLE_TWICE(paidBy("pm_sim_unavailable_twice"), Ending.CONFIRMED),
    GATEWAY_IS_SLOW(paidBy("pm_sim_slow"), Ending.CONFIRMED),
    GATEWAY_IS_DOWN(paidBy("pm_sim_down"), Ending.GATEWAY_DOWN),
    CARRIER_REFUSES(OrderForm.GOOD.shippedToCountry("AQ"), Ending.REJECTED),
    CARRIER_LOSES_ITS_FIRST_ANSWER(shippedTo("SIM-LOST-ANSWER"), Ending.CONFIRMED),
    CARRIER_IS_UNAVAILABLE_TWICE(shippedTo("SIM-UNAVAILABLE-TWICE"), Ending.CONFIRMED),
    CARRIER_IS_SLOW(shippedTo("SIM-SLOW"), Ending.CONFIRMED),
    CARRIER_IS_DOWN(shippedTo("SIM-DOWN"), Ending.CARRIER_DOWN),
    BOTH_LOSE_THEIR_FIRST_ANSWER(
        paidBy("pm_sim_lost_answer").shippedToPostalCode("SIM-LOST-ANSWER"), Ending.CONFIRMED),
    GATEWAY_LOSES_ITS_FIRST_ANSWER_AND_CARRIER_REFUSES(
        paidBy("pm_sim_lost_answer").shippedToCountry("AQ"), Ending.REJECTED),
    GATEWAY_IS_SLOW_AND_CARRIER_IS_DOWN(
        paidBy("pm_sim_slow").shippedToPostalCode("SIM-DOWN"), Ending.CARRIER_DOWN);

    private final OrderForm form;
    private final Ending ending;

    Behaviour(OrderForm form, Ending ending) {
      this.form = form;
      this.ending = ending;
    }

    private static OrderForm paidBy(String paymentMethod) {
      return OrderForm.GOOD.paidBy(paymentMethod);
    }

    private static OrderForm shippedTo(String postalCode) {
      return OrderForm.GOOD.shippedToPostalCode(postalCode);
    }
  }

  @BeforeAll
  void placeAll() {
    placed = Stream.of(Behaviour.values()).collect(toMap(it -> it, this::placeSome));
  }

  private List<Order> placeSome(Behaviour behaviour) {
    return Collections.nCopies(EACH, behaviour.form).stream().map(customer::places).toList();
  }

  @BeforeEach
  void rememberWhose() {
    ExplainFailures.remember(customer);
  }

  @ParameterizedTest
  @EnumSource
  void endsAsTheProtocolSays(Behaviour behaviour) {
    placed
        .get(behaviour)
        .forEach(order -> order.awaitEnding(behaviour.ending, behaviour.form.amount()));
  }
}
