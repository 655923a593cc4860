package io.onceflow.payment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onceflow.core.IdempotencyKey;
import io.onceflow.core.internal.StepKey;
import io.onceflow.participant.Answer;
import io.onceflow.participant.CallKey;
import io.onceflow.payment.domain.DeclineReason;
import io.onceflow.payment.domain.Payment;
import io.onceflow.payment.domain.PaymentGateway;
import io.onceflow.payment.domain.PaymentReply.PaymentRefunded;
import io.onceflow.payment.domain.PaymentReply.RefundDeclined;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RefundPaymentTest {

  private final BooksOnPaper gateway = BooksOnPaper.charging();
  private final PaymentTable table = new PaymentTable();

  @Test
  void givesBackWhatWasCharged() throws Exception {
    Answer.Reply answer = refund("root", Optional.of(AnOrder.charged()));

    assertThat(gateway.asked)
        .containsExactly("refund 2500 of ch_0199c3a460217a5b as root:refund-payment of alice");
    assertThat(answer)
        .isEqualTo(
            Answer.done(AnOrder.paymentRefunded()).save(AnOrder.charged().refundedAt(AnOrder.NOW)));
  }

  @Test
  void isTheSameRefundToTheGatewayWhoeverAsksForIt() throws Exception {
    refund("root", Optional.of(AnOrder.charged()));
    refund("another-root", Optional.of(AnOrder.charged()));

    assertThat(List.copyOf(gateway.asked)).hasSize(2).containsOnly(gateway.asked.getFirst());
  }

  @Test
  void hasNothingToGiveBackOfADeclinedCharge() throws Exception {
    assertThat(refund("root", Optional.of(AnOrder.declined())))
        .isEqualTo(Answer.done(new PaymentRefunded(AnOrder.ID, 0)));
    assertThat(gateway.asked).isEmpty();
  }

  @Test
  void saysThatNothingIsGivenBackWhereNothingWasCharged() {
    assertThat(AnOrder.payments(gateway).nothingToGiveBack(AnOrder.refundPayment()))
        .isEqualTo(new PaymentRefunded(AnOrder.ID, 0));
  }

  @Test
  void hasTheGatewaySettleAChargeWhoseResultIsUnknown() throws Exception {
    Answer.Reply answer = refund("root", Optional.empty());

    assertThat(gateway.asked).containsExactly("annul root:process-payment of alice");
    assertThat(answer.body()).isEqualTo(AnOrder.paymentRefunded());
    Payment payment = (Payment) answer.rows().getFirst();
    assertThat(payment.status()).isEqualTo(Payment.Status.REFUNDED);
    assertThat(payment.amount()).isEqualTo(2500);
    assertThat(payment.key().step()).hasToString("root:process-payment");
  }

  @Test
  void writesNothingDownWhenTheGatewayKnowsOfNoCharge() throws Exception {
    BooksOnPaper empty =
        new BooksOnPaper(new PaymentGateway.Outcome.Declined(DeclineReason.CARD_DECLINED));

    assertThat(refund(empty, "root", Optional.empty()))
        .isEqualTo(Answer.done(new PaymentRefunded(AnOrder.ID, 0)));
  }

  /** An exception would be tried again for ever, and count against the refunds of others. */
  @Test
  void answersWhyTheGatewayDoesNotGiveTheChargeBack() throws Exception {
    BooksOnPaper refusing = BooksOnPaper.refusingRefunds("charge_disputed");
    Answer declined = Answer.refused(new RefundDeclined(AnOrder.ID, "charge_disputed"));

    assertThat(refund(refusing, "root", Optional.of(AnOrder.charged()))).isEqualTo(declined);
    assertThat(refund(refusing, "root", Optional.empty())).isEqualTo(declined);
  }

  @Test
  void isGivenThePaymentThatItsChargeHasWritten() {
    StepKey charge = AnOrder.charged().key().step();

    assertThat(table.wasWrittenBy(AnOrder.charged(), "alice", charge)).isTrue();
    assertThat(table.wasWrittenBy(AnOrder.charged(), "bob", charge)).isFalse();
    assertThat(table.wasWrittenBy(AnOrder.charged(), "alice", charge.sibling("other"))).isFalse();
  }

  /** The sagas of two orchestrators may have the same root key. */
  @Test
  void isNotGivenAPaymentOfAnotherOrigin() {
    StepKey ours = AnOrder.charged().key().step();
    StepKey theirs = new StepKey(ours.root(), ours.step(), "shop/sell");

    assertThat(table.wasWrittenBy(AnOrder.charged(), "alice", theirs)).isFalse();
  }

  @Test
  void eachChargeHasARefundOfItsOwn() {
    assertThat(refundKey("process-payment", "")).isEqualTo("root:refund-payment");
    assertThat(refundKey("process-payment", "order-service/place-order"))
        .isEqualTo("root:refund-payment@order-service/place-order");
    assertThat(refundKey("charge-deposit", "shop/sell"))
        .isNotEqualTo(refundKey("charge-rest", "shop/sell"));
  }

  private static String refundKey(String step, String origin) {
    StepKey charge = new StepKey(new IdempotencyKey("root"), step, origin);
    return PaymentGateway.refundOf(new CallKey("alice", charge)).step().toString();
  }

  @Test
  void givesNothingBackTwice() throws Exception {
    assertThat(refund("root", Optional.of(AnOrder.charged().refundedAt(AnOrder.NOW))))
        .isEqualTo(Answer.done(new PaymentRefunded(AnOrder.ID, 0)));
    assertThatThrownBy(() -> AnOrder.charged().refundedAt(AnOrder.NOW).refundedAt(AnOrder.NOW))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("REFUNDED");
  }

  private Answer.Reply refund(String root, Optional<Payment> payment) throws Exception {
    return refund(gateway, root, payment);
  }

  private static Answer.Reply refund(BooksOnPaper gateway, String root, Optional<Payment> payment)
      throws Exception {
    StepKey own = new StepKey(new IdempotencyKey(root), "refund-payment");
    return (Answer.Reply)
        AnOrder.payments(gateway)
            .refund(
                AnOrder.refundPayment(),
                new CallKey("alice", own),
                new CallKey("alice", own.sibling("process-payment")),
                payment);
  }
}
