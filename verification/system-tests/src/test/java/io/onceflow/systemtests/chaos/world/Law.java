package io.onceflow.systemtests.chaos.world;

import java.util.Arrays;
import java.util.List;
import java.util.function.Function;

/** What must hold after the run, independent of the faults before. */
public enum Law {
  ACCEPTED_ORDERS_ARE_THERE("every accepted POST has its order", OrderLaws::acceptedAreThere),
  ONE_ORDER_PER_KEY("a key places one order", OrderLaws::onePerKey),
  NOTHING_UNASKED("every order was requested by a customer", OrderLaws::nothingUnasked),
  SAGAS_END("every saga has ended, as its order has", OrderLaws::sagasEnd),
  CUSTOMERS_ARE_TOLD_THE_TRUTH(
      "the cancellation response matches the final state", OrderLaws::cancellationsAreTrue),
  ORDERS_ARE_SHOWN_AS_THEY_ARE("a customer is shown the order as it is", OrderLaws::shownAsTheyAre),
  ONE_EFFECT_PER_KEY("every effect happens once", MoneyLaws::oneEffectPerKey),
  NO_EFFECT_WITHOUT_ORDER(
      "nothing is charged or shipped without an order", MoneyLaws::noneWithoutOrder),
  MONEY_ADDS_UP("charges are confirmed or refunded", MoneyLaws::addsUp),
  NOTHING_SHIPPED_UNPAID("no shipment stands without a charge", MoneyLaws::nothingUnpaid),
  NOTHING_IS_PARKED("no parked message is unexplained", MessageLaws::nothingParked),
  NOTHING_IS_LEFT("nothing is left to be sent or done", MessageLaws::nothingLeft),
  STEPS_ARE_COMPLETED_ONCE("a step is completed once", MessageLaws::completedOnce),
  WHAT_IS_TAKEN_IS_DONE("what the broker took is carried out", MessageLaws::probesAreDone),
  WHAT_IS_UNDONE_FIRST_IS_NOT_DONE(
      "what was undone before it came does not stand", MoneyLaws::overtakenStandNot),
  WHAT_IS_DECIDED_IS_TOLD("what was decided is told", MessageLaws::eventsAreTold),
  SERVICES_RECOVER("a service is soon ready again", MessageLaws::servicesRecover),
  OTHERS_ARE_SERVED(
      "while one thing is wrong, every other caller is served", OrderLaws::othersAreServed),
  OTHERS_ARE_CONFIRMED(
      "while one thing is wrong, every other order is confirmed", OrderLaws::othersAreConfirmed),
  ALL_ARE_ANSWERED(
      "while nothing can be written, callers are told so at once", OrderLaws::allAreAnswered),
  WRITES_RESUME("once it can, orders are placed again", OrderLaws::writesResume),
  THE_CHECK_FINDS_NOTHING("./onceflow check finds nothing", MessageLaws::checkFindsNothing),
  BOOKS_ARE_COMPARED(
      "what is altered in the books is found, and nothing else", MoneyLaws::plantedIsFound);

  private final String words;
  private final Function<World, List<Wrong>> check;

  Law(String words, Function<World, List<Wrong>> check) {
    this.words = words;
    this.check = check;
  }

  /** The law as a sentence. */
  public String words() {
    return words;
  }

  /** Where it is broken. */
  public List<Violation> check(World world) {
    return check.apply(world).stream()
        .map(it -> new Violation(words, it.orderId(), it.what()))
        .toList();
  }

  /** Everything that is wrong in a world. */
  public static List<Violation> checkAll(World world) {
    return Arrays.stream(values()).flatMap(law -> law.check(world).stream()).toList();
  }
}
