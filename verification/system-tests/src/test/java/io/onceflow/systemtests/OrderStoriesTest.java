package io.onceflow.systemtests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What becomes of an order when nothing breaks. */
@SystemTest
class OrderStoriesTest {

  private final Customer customer = Stack.get().newCustomer();

  @Test
  void anOrderGoesThrough() {
    Order order = customer.places(OrderForm.GOOD).awaitConfirmed();

    assertThat(order.read().getString("payment.status")).isEqualTo("PROCESSED");
    assertThat(order.read().getString("shipment.status")).isEqualTo("ARRANGED");
    assertThat(order.read().getString("shipment.trackingNumber")).isNotBlank();
    assertThat(customer.payments(order.id()))
        .extracting(it -> it.get("status"), it -> it.get("amount"), it -> it.get("currency"))
        .containsExactly(tuple("PROCESSED", (int) OrderForm.GOOD.amount(), "EUR"));
    assertThat(customer.shipments(order.id()))
        .extracting(it -> it.get("status"), it -> it.get("trackingNumber"))
        .containsExactly(tuple("ARRANGED", order.read().getString("shipment.trackingNumber")));
    order.expectPaidAndShippedOnce(OrderForm.GOOD.amount());
  }

  @Test
  void theSagaOfAnOrderThatWentThroughTellsItsStepsInOrder() {
    String key = Customer.newKey();
    Order order = customer.places(OrderForm.GOOD, key).awaitConfirmed();

    assertThat(order.steps())
        .containsExactly(
            "process-payment SUCCEEDED", "arrange-shipment SUCCEEDED", "confirm-order SUCCEEDED");
    assertThat(order.saga().getList("steps.idempotencyKey"))
        .startsWith(key + ":process-payment", key + ":arrange-shipment");
    assertThat(order.history())
        .containsExactly(
            "saga-started",
            "command-sent process-payment",
            "succeeded process-payment",
            "command-sent arrange-shipment",
            "succeeded arrange-shipment",
            "pivot-passed confirm-order",
            "saga-completed");
  }

  @Test
  void theOutsideWorldIsAskedUnderTheStepsOwnKeys() {
    String key = Customer.newKey();
    Order order = customer.places(OrderForm.GOOD, key).awaitConfirmed();

    assertThat(order.gatewayLedger())
        .extracting(LedgerEntry::key)
        .allSatisfy(it -> assertThat(it).contains(key + ":process-payment"));
    assertThat(order.carrierLedger())
        .extracting(LedgerEntry::key)
        .allSatisfy(it -> assertThat(it).contains(key + ":arrange-shipment"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"pm_card_chargeDeclined", "pm_card_chargeDeclinedInsufficientFunds"})
  void anOrderWhosePaymentIsDeclinedIsCancelledAndNothingIsShipped(String paymentMethod) {
    Order order = customer.places(OrderForm.GOOD.paidBy(paymentMethod)).awaitCancelled();

    assertThat(order.read().getString("cancellationReason")).isEqualTo("PAYMENT_DECLINED");
    assertThat(order.read().getString("payment.status")).isEqualTo("DECLINED");
    assertThat(order.read().<Object>get("shipment")).isNull();
    assertThat(customer.payments(order.id()))
        .extracting(it -> it.get("status"))
        .containsExactly("DECLINED");
    assertThat(customer.shipments(order.id())).isEmpty();
    assertThat(order.gatewayLedger()).isEmpty();
    assertThat(order.carrierLedger()).isEmpty();
  }

  @Test
  void anOrderWhoseShipmentIsRefusedIsCancelledAndPaidBackOnce() {
    Order order = customer.places(OrderForm.GOOD.shippedToCountry("AQ")).awaitCancelled();

    assertThat(order.read().getString("cancellationReason")).isEqualTo("SHIPMENT_REJECTED");
    assertThat(order.read().getString("payment.status")).isEqualTo("REFUNDED");
    assertThat(customer.payments(order.id()))
        .extracting(it -> it.get("status"))
        .containsExactly("REFUNDED");
    assertThat(customer.shipments(order.id()))
        .extracting(it -> it.get("status"))
        .containsExactly("REJECTED");
    assertThat(order.gatewayLedger())
        .extracting(LedgerEntry::kind, LedgerEntry::amount)
        .containsExactly(
            tuple("CHARGE", OrderForm.GOOD.amount()), tuple("REFUND", OrderForm.GOOD.amount()));
    assertThat(order.carrierLedger()).isEmpty();
    assertThat(order.history())
        .containsSubsequence(
            "succeeded process-payment",
            "refused arrange-shipment",
            "compensation-sent process-payment",
            "compensated process-payment",
            "saga-compensated");
  }

  @ParameterizedTest
  @ValueSource(strings = {"pm_sim_lost_answer", "pm_sim_unavailable_twice", "pm_sim_slow"})
  void aGatewayThatStumblesChargesOnce(String paymentMethod) {
    OrderForm form = OrderForm.GOOD.paidBy(paymentMethod);

    customer.places(form).awaitConfirmed().expectPaidAndShippedOnce(form.amount());
  }

  @ParameterizedTest
  @ValueSource(strings = {"SIM-LOST-ANSWER", "SIM-UNAVAILABLE-TWICE", "SIM-SLOW"})
  void aCarrierThatStumblesBooksOnce(String postalCode) {
    OrderForm form = OrderForm.GOOD.shippedToPostalCode(postalCode);

    customer.places(form).awaitConfirmed().expectPaidAndShippedOnce(form.amount());
  }

  @Test
  void customersListTheirOwnOrdersNewestFirst() {
    Order first = customer.places(OrderForm.GOOD);
    Order second = customer.places(OrderForm.GOOD);

    List<Map<String, Object>> orders = customer.orders();
    assertThat(orders).extracting(it -> it.get("id")).containsExactly(second.id(), first.id());
  }
}
