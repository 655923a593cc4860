package io.onceflow.systemtests;

import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Repeated deliveries; the test publishes the messages again with the broker's credentials. */
@SystemTest
class DuplicateMessagesTest {

  private static final int TIMES = 10;
  private static final Duration SOON = Duration.ofMinutes(1);

  private final Stack stack = Stack.get();
  private final Customer customer = stack.newCustomer();

  private Broker broker;
  private Tap commands;
  private Tap replies;

  @BeforeEach
  void listen() {
    broker = stack.broker();
    commands = broker.tap(Message.COMMANDS, "payment.#", "shipping.#");
    replies = broker.tap(Message.REPLIES, "order-service.#");
  }

  @AfterEach
  void hangUp() {
    broker.close();
  }

  @Test
  void commandsThatComeTenTimesMoreAreAnsweredAgainAndDoNothing() {
    List<Order> orders = someThatHaveEnded();
    List<String> before = whatIsKnown(orders);
    List<Message> sent = commands.seenOf(customer);

    broker.publishAgain(TIMES, sent);

    awaitAnswersToAll(sent);
    awaitRepliesTaken();
    assertThat(whatIsKnown(orders)).isEqualTo(before);
  }

  @Test
  void repliesThatComeTenTimesMoreMoveNothing() {
    List<Order> orders = someThatHaveEnded();
    List<String> before = whatIsKnown(orders);

    broker.publishAgain(TIMES, replies.seenOf(customer));

    awaitRepliesTaken();
    assertThat(whatIsKnown(orders)).isEqualTo(before);
  }

  /** One that went through, one declined, one paid back, and two that stumbled on their way. */
  private List<Order> someThatHaveEnded() {
    OrderForm good = OrderForm.GOOD;
    List<Order> orders =
        Stream.of(
                good,
                good.paidBy("pm_card_chargeDeclined"),
                good.shippedToCountry("AQ"),
                good.paidBy("pm_sim_lost_answer"),
                good.shippedToPostalCode("SIM-LOST-ANSWER"))
            .map(customer::places)
            .toList();
    orders.get(0).awaitConfirmed();
    orders.get(1).awaitCancelled();
    orders.get(2).awaitCancelled();
    orders.get(3).awaitConfirmed();
    orders.get(4).awaitConfirmed();
    assertThat(commands.seenOf(customer))
        .extracting(Message::type)
        .contains("ProcessPayment", "RefundPayment", "ArrangeShipment");
    return orders;
  }

  /** Every letter of the sagas and every entry in the books. */
  private static List<String> whatIsKnown(List<Order> orders) {
    return orders.stream()
        .flatMap(
            order ->
                Stream.of(
                    order.sagaText(),
                    order.read().prettify(),
                    order.gatewayLedger().toString(),
                    order.carrierLedger().toString()))
        .toList();
  }

  /** A completed step answers again (rule 12): its queue is through when all have been answered. */
  private void awaitAnswersToAll(List<Message> sent) {
    Map<String, Long> answersBySaga =
        sent.stream().collect(groupingBy(Message::correlationId, counting()));
    await("every repeated command is answered")
        .atMost(SOON)
        .untilAsserted(
            () -> {
              Map<String, Long> seen =
                  replies.seenOf(customer).stream()
                      .collect(groupingBy(Message::correlationId, counting()));
              answersBySaga.forEach(
                  (saga, commandsSent) ->
                      assertThat(seen.get(saga))
                          .isGreaterThanOrEqualTo(commandsSent * (1 + TIMES)));
            });
  }

  /** The order service parks what it does not know: once that is parked, all before it is done. */
  private void awaitRepliesTaken() {
    Message last = Message.of(Message.REPLIES, "order-service", "LastOfAll", "{}");
    broker.publish(last);
    await("the order service has taken everything from its queue")
        .atMost(SOON)
        .until(
            () ->
                stack
                        .ordersDatabase()
                        .count(
                            "SELECT count(*) FROM parked_message WHERE message_id = ?", last.id())
                    == 1);
  }
}
