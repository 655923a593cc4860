package io.onceflow.systemtests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What becomes of an order that its customer gives back. */
@SystemTest
@Tag("nightly")
class ReturnStoriesTest {

  /** The origin of the saga that charged and booked, which ends the keys that both know. */
  private static final String PLACING = "@order-service/place-order";

  private static final Duration SOON = Duration.ofMinutes(1);

  private final Stack stack = Stack.get();
  private final Customer customer = stack.newCustomer();
  private final String orderKey = Customer.newKey();
  private final String returnKey = Customer.newKey();

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
  void anOrderIsFetchedAndPaidBackOnce() {
    Tap events = broker.tap("onceflow.events", "order.returned");
    Order order = customer.places(OrderForm.GOOD, orderKey).awaitConfirmed();

    assertThat(customer.givesBack(order, returnKey).statusCode()).isEqualTo(202);
    order.awaitReturn("COMPLETED");

    assertThat(order.read().getString("status")).isEqualTo("RETURNED");
    assertThat(order.read().getString("payment.status")).isEqualTo("REFUNDED");
    assertThat(order.gatewayLedger())
        .containsExactly(
            new LedgerEntry(
                orderKey + ":process-payment" + PLACING, "CHARGE", OrderForm.GOOD.amount()),
            new LedgerEntry(
                orderKey + ":refund-payment" + PLACING, "REFUND", OrderForm.GOOD.amount()));
    assertThat(order.carrierLedger())
        .containsExactly(
            new LedgerEntry(orderKey + ":arrange-shipment" + PLACING, "BOOKING", 0),
            new LedgerEntry(
                returnKey + ":arrange-return@order-service/return-order", "BOOKING", 0));
    assertThat(customer.shipments(order.id()))
        .extracting(it -> it.get("status"))
        .containsExactly("ARRANGED");
    assertThat(customer.returnShipments(order.id()))
        .extracting(it -> it.get("status"), it -> it.get("trackingNumber"))
        .containsExactly(tuple("ARRANGED", order.itsReturn().getString("trackingNumber")));
    await("the event is told")
        .atMost(SOON)
        .until(
            () -> events.seen().stream().filter(it -> it.payload().contains(order.id())).count(),
            count -> count == 1);
  }

  @Test
  void theSagaOfAReturnTellsItsStepsInOrder() {
    Order order = returned(OrderForm.GOOD);

    assertThat(order.itsReturn().getString("saga.definition")).isEqualTo("return-order");
    assertThat(order.itsReturn().getString("saga.status")).isEqualTo("COMPLETED");
    assertThat(order.itsReturn().getList("saga.history.event"))
        .containsExactly(
            "saga-started",
            "command-sent",
            "succeeded",
            "pivot-passed",
            "command-sent",
            "succeeded",
            "succeeded",
            "saga-completed");
    assertThat(order.saga().getString("definition"))
        .as("what is asked of the order is how it was placed")
        .isEqualTo("place-order");
  }

  @Test
  void anOrderThatTheCarrierWillNotFetchStaysAsItIsAndMayBeTriedAgain() {
    Order order =
        customer
            .places(OrderForm.GOOD.shippedToPostalCode("SIM-NO-RETURNS"), orderKey)
            .awaitConfirmed();

    customer.givesBack(order, returnKey);
    order.awaitReturn("REJECTED");
    String first = order.itsReturn().getString("id");
    assertThat(order.itsReturn().getString("rejectionReason")).isEqualTo("RETURN_REJECTED");
    assertThat(order.itsReturn().getString("saga.status")).isEqualTo("COMPENSATED");
    assertThat(customer.givesBack(order, Customer.newKey()).statusCode()).isEqualTo(202);
    await("the second is rejected, too")
        .atMost(Order.ENDS_WITHIN)
        .until(
            () ->
                order.itsReturn().getString("status").equals("REJECTED")
                    && !order.itsReturn().getString("id").equals(first));

    assertThat(order.read().getString("status")).isEqualTo("CONFIRMED");
    assertThat(customer.returnShipments(order.id()))
        .extracting(it -> it.get("status"))
        .containsExactly("REJECTED", "REJECTED");
    order.expectPaidAndShippedOnce(OrderForm.GOOD.amount());
  }

  @ParameterizedTest
  @ValueSource(strings = {"SIM-LOST-ANSWER", "SIM-UNAVAILABLE-TWICE", "SIM-SLOW"})
  void aCarrierThatStumblesFetchesOnce(String postalCode) {
    expectFetchedAndPaidBackOnce(returned(OrderForm.GOOD.shippedToPostalCode(postalCode)));
  }

  @Test
  void messagesThatComeTenTimesMoreMoveNothing() {
    Tap commands = broker.tap(Message.COMMANDS, "payment.#", "shipping.#");
    Tap replies = broker.tap(Message.REPLIES, "order-service.#");
    Order order = returned(OrderForm.GOOD);
    String before = order.itsReturn().prettify();
    List<Message> sent = commands.seenOf(customer);
    assertThat(sent)
        .extracting(Message::type)
        .containsExactly("ProcessPayment", "ArrangeShipment", "ArrangeReturn", "ReturnPayment");

    broker.publishAgain(10, sent);
    broker.publishAgain(10, replies.seenOf(customer));

    await("each command is answered again")
        .atMost(SOON)
        .until(() -> replies.seenOf(customer).size(), count -> count >= 4 + 40 + 40);
    assertThat(order.itsReturn().prettify()).isEqualTo(before);
    expectFetchedAndPaidBackOnce(order);
  }

  @Test
  void aRefundThatIsAskedForMeanwhileIsTheSameOne() {
    Tap commands = broker.tap(Message.COMMANDS, "payment.#");
    Order order = customer.places(OrderForm.GOOD, orderKey).awaitConfirmed();
    Message refund =
        commands
            .seenOf(customer)
            .getFirst()
            .withType("RefundPayment")
            .withId(UUID.randomUUID().toString())
            .withPayload("{\"orderId\": \"%s\"}".formatted(order.id()));

    broker.publish(refund);
    customer.givesBack(order, returnKey);
    order.awaitReturn("COMPLETED");

    assertThat(order.itsReturn().getLong("refundedAmount")).isEqualTo(OrderForm.GOOD.amount());
    expectFetchedAndPaidBackOnce(order);
  }

  @Test
  void theMoneyGoesBackOnceThePaymentServiceIsThereAgain() {
    Order order = customer.places(OrderForm.GOOD, orderKey).awaitConfirmed();
    stack.payments().kill();
    try {
      customer.givesBack(order, returnKey);
      order.awaitReturn("ACCEPTED");
      assertThat(order.read().getString("status")).isEqualTo("CONFIRMED");
    } finally {
      stack.payments().start();
    }

    order.awaitReturn("COMPLETED");
    expectFetchedAndPaidBackOnce(order);
  }

  @Test
  void anOrderThatWasCancelledIsNotGivenBack() {
    Order order = customer.places(OrderForm.GOOD.shippedToCountry("AQ"), orderKey);
    order.awaitCancelled();

    assertThat(customer.givesBack(order, returnKey).jsonPath().getString("type"))
        .isEqualTo("/problems/order-not-confirmed");
    assertThat(stack.newCustomer().givesBack(order, returnKey).statusCode()).isEqualTo(404);
  }

  private Order returned(OrderForm form) {
    Order order = customer.places(form, orderKey).awaitConfirmed();
    assertThat(customer.givesBack(order, returnKey).statusCode()).isEqualTo(202);
    return order.awaitReturn("COMPLETED");
  }

  private static void expectFetchedAndPaidBackOnce(Order order) {
    assertThat(order.read().getString("status")).isEqualTo("RETURNED");
    assertThat(order.gatewayLedger())
        .extracting(LedgerEntry::kind, LedgerEntry::amount)
        .containsExactly(
            tuple("CHARGE", OrderForm.GOOD.amount()), tuple("REFUND", OrderForm.GOOD.amount()));
    assertThat(order.carrierLedger())
        .extracting(LedgerEntry::kind)
        .containsExactly("BOOKING", "BOOKING");
  }
}
