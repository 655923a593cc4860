package io.onceflow.payment;

import io.onceflow.payment.domain.PaymentReply;
import io.onceflow.quickstart.testing.MessageLaws;
import java.util.stream.Stream;

class MessagesTest extends MessageLaws {

  MessagesTest() {
    super(PaymentReply.class);
  }

  @Override
  protected Stream<Object> commands() {
    return Stream.of(AnOrder.processPayment(), AnOrder.refundPayment(), AnOrder.returnPayment());
  }

  @Override
  protected Stream<PaymentReply> replies() {
    return Stream.of(
        AnOrder.paymentProcessed(),
        AnOrder.paymentDeclined(),
        AnOrder.paymentRefunded(),
        AnOrder.paymentReturned(),
        new PaymentReply.RefundDeclined(AnOrder.ID, "charge_disputed"));
  }
}
