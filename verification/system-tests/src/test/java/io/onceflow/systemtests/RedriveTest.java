package io.onceflow.systemtests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.restassured.response.Response;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What was parked goes through the saga's state again (rule 13): when it is over, it is over. */
@SystemTest
class RedriveTest {

  private static final Duration SOON = Duration.ofMinutes(2);

  private final Stack stack = Stack.get();
  private final Customer customer = stack.newCustomer();
  private final Operator operator = new Operator(stack);
  private Broker broker;

  @BeforeEach
  void connect() {
    broker = stack.broker();
  }

  @AfterEach
  void hangUp() {
    broker.close();
  }

  @Test
  void aCommandOfASagaThatHasEndedIsNotRedriven() {
    expectRefused(stack.payments(), stack.paymentsDatabase(), Message.COMMANDS, "payment.process");
  }

  @Test
  void aReplyToASagaThatHasEndedIsNotRedriven() {
    expectRefused(
        stack.orders(), stack.ordersDatabase(), Message.REPLIES, "order-service.payment-service");
  }

  private void expectRefused(
      ServiceProcess service, Database database, String exchange, String routingKey) {
    Tap tap = broker.tap(exchange, routingKey);
    Order order = customer.places(OrderForm.GOOD).awaitConfirmed();
    String before = order.sagaText();
    Message forged = forged(order, tap);
    broker.publish(forged);

    String parked = parked(database, forged);
    Response refused = operator.redrives(service, parked);

    assertThat(refused.statusCode()).as(refused.asString()).isEqualTo(409);
    assertThat(refused.<String>path("type")).endsWith("/problems/saga-ended");
    assertThat(refused.<String>path("detail")).isNotBlank();
    assertThat(parked(database, forged)).as("still parked").isEqualTo(parked);
    assertThat(order.sagaText()).isEqualTo(before);
    order.expectPaidAndShippedOnce(OrderForm.GOOD.amount());
  }

  /** A message of the order's saga, made to speak of another order: it is parked. */
  private Message forged(Order order, Tap tap) {
    Message real =
        await("the tap has seen a message")
            .atMost(SOON)
            .until(() -> tap.seenOf(customer).stream().findFirst(), Optional::isPresent)
            .orElseThrow();
    return real.withId(UUID.randomUUID().toString())
        .withPayload(real.payload().replace(order.id(), UUID.randomUUID().toString()));
  }

  private static String parked(Database database, Message message) {
    return await(message.type() + " is parked")
        .atMost(SOON)
        .until(
            () ->
                database.texts("SELECT id FROM parked_message WHERE message_id = ?", message.id()),
            ids -> !ids.isEmpty())
        .getFirst();
  }
}
