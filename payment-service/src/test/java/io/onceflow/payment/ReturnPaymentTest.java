package io.onceflow.payment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onceflow.core.IdempotencyKey;
import io.onceflow.core.internal.StepKey;
import io.onceflow.participant.Answer;
import io.onceflow.participant.Answer.UnprocessableMessage;
import io.onceflow.participant.CallKey;
import io.onceflow.payment.domain.Payment;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReturnPaymentTest {

  private final BooksOnPaper gateway = BooksOnPaper.charging();

  @Test
  void givesBackWhatWasCharged() throws Exception {
    Answer answer = giveBack(AnOrder.charged());

    assertThat(gateway.asked).as("before the intent is recorded").isEmpty();
    assertThat(((Answer.Call) answer).call().call())
        .isEqualTo(
            Answer.done(AnOrder.paymentReturned()).save(AnOrder.charged().refundedAt(AnOrder.NOW)));
    assertThat(gateway.asked)
        .as("under the charge's own refund key, as a refund would be")
        .containsExactly("refund 2500 of ch_0199c3a460217a5b as root:refund-payment of alice");
  }

  @Test
  void saysHowMuchIsBackWhenItWasGivenBackBefore() {
    assertThat(giveBack(AnOrder.charged().refundedAt(AnOrder.NOW)))
        .isEqualTo(Answer.done(AnOrder.paymentReturned()));
    assertThat(gateway.asked).isEmpty();
  }

  @Test
  void doesNotClaimThatMoneyIsBackWhichWasNeverCharged() {
    assertThatThrownBy(() -> giveBack()).isInstanceOf(UnprocessableMessage.class);
    assertThatThrownBy(() -> giveBack(AnOrder.declined()))
        .isInstanceOf(UnprocessableMessage.class)
        .hasMessageContaining(AnOrder.ID.toString());
  }

  /** An order may be charged in two steps, and the first of them may have been declined. */
  @Test
  void givesBackTheChargeThatFollowedADeclinedOne() throws Exception {
    Answer answer = giveBack(AnOrder.declined(), AnOrder.charged());

    assertThat(((Answer.Call) answer).call().call())
        .isEqualTo(
            Answer.done(AnOrder.paymentReturned()).save(AnOrder.charged().refundedAt(AnOrder.NOW)));
  }

  @Test
  void givesNothingBackOfAnotherApplicationsOrder() {
    StepKey charge = AnOrder.processKey();
    StepKey theirs = new StepKey(charge.root(), charge.step(), "shop/sell");
    Payment payment =
        Payment.charged(
            AnOrder.PAYMENT_ID,
            new CallKey("alice", theirs),
            AnOrder.processPayment(),
            AnOrder.REFERENCE,
            AnOrder.NOW);

    assertThatThrownBy(() -> giveBack(payment)).isInstanceOf(UnprocessableMessage.class);
  }

  private Answer giveBack(Payment... ofOrder) {
    StepKey key =
        new StepKey(
            new IdempotencyKey("return-root"), "return-payment", "order-service/return-order");
    return AnOrder.payments(gateway)
        .giveBackReturned(AnOrder.returnPayment(), new CallKey("alice", key), List.of(ofOrder));
  }
}
