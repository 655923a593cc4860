package io.onceflow.systemtests;

import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;

/**
 * When in an order's life something is done to it. Told by what has happened, never by the time, so
 * that a slow machine meets the same moments.
 *
 * @param name for the message of a failed test
 * @param looks how often the order is read at least before the moment counts
 * @param hasCome whether an order is that far
 */
record Moment(String name, int looks, Predicate<Order> hasCome) {

  /** What a saga tells on its way; the last of it is too late for anything. */
  private static final List<String> EVENTS =
      List.of(
          "command-sent process-payment",
          "succeeded process-payment",
          "command-sent arrange-shipment",
          "succeeded arrange-shipment",
          "saga-completed");

  /** After so many looks an order that nothing holds up has mostly ended. */
  private static final int MOST_LOOKS = 12;

  private static final Duration BETWEEN_LOOKS = Duration.ofMillis(20);

  /** Any moment; those between two steps are the most frequent. */
  static Moment random(RandomGenerator random) {
    return switch (random.nextInt(5)) {
      case 0 -> afterLooks(0);
      case 1 -> afterLooks(random.nextInt(1, MOST_LOOKS));
      case 2 -> new Moment("when it is charged", 0, order -> !order.gatewayLedger().isEmpty());
      default -> afterEvent(EVENTS.get(random.nextInt(EVENTS.size())));
    };
  }

  private static Moment afterLooks(int looks) {
    return new Moment("after looking %d times".formatted(looks), looks, order -> true);
  }

  private static Moment afterEvent(String event) {
    return new Moment("after " + event, 0, order -> order.history().contains(event));
  }

  /** Returns when it has come; it comes for every order that nothing but this test cancels. */
  void meet(Order order) {
    for (int i = 0; i < looks; i++) {
      order.read();
    }
    await("order " + order.id() + " is to be met " + name)
        .atMost(Order.ENDS_WITHIN)
        .pollDelay(Duration.ZERO)
        .pollInterval(BETWEEN_LOOKS)
        .until(() -> hasCome.test(order));
  }

  @Override
  public String toString() {
    return name;
  }
}
