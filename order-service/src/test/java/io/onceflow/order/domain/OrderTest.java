package io.onceflow.order.domain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onceflow.order.saga.AnOrder;
import java.util.List;
import org.junit.jupiter.api.Test;

class OrderTest {

  @Test
  void costsTheSumOfItsLines() {
    Order order =
        Order.placed(
            AnOrder.ID,
            "alice",
            "EUR",
            List.of(new Item("A", 2, 1250), new Item("B", 3, 1)),
            "pm_card_visa",
            AnOrder.placed().shippingAddress(),
            AnOrder.placed().createdAt());

    assertThat(order.totalAmount()).isEqualTo(2503);
  }

  @Test
  void isNeitherConfirmedNorCancelledTwice() {
    Order confirmed = AnOrder.placed().confirm();
    Order cancelled = AnOrder.placed().cancel("PAYMENT_DECLINED");

    assertThatThrownBy(() -> confirmed.cancel("LATE")).hasMessageContaining("is CONFIRMED");
    assertThatThrownBy(confirmed::confirm).hasMessageContaining("is CONFIRMED");
    assertThatThrownBy(cancelled::confirm).hasMessageContaining("is CANCELLED");
  }

  @Test
  void refundsOnlyWhatWasPaid() {
    assertThat(AnOrder.placed().noteRefund().payment()).isNull();
    assertThat(AnOrder.placed().noteShipmentCancelled().shipment()).isNull();
  }

  @Test
  void overflowsLoudly() {
    Item absurd = new Item("A", 2, Long.MAX_VALUE);
    assertThatThrownBy(absurd::amount).isInstanceOf(ArithmeticException.class);
  }
}
