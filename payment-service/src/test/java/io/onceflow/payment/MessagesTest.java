package io.onceflow.payment;

import io.onceflow.launcher.testing.MessageLaws;
import io.onceflow.payment.domain.PaymentReply;
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
