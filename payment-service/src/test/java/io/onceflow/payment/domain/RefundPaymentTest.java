package io.onceflow.payment.domain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onceflow.core.IdempotencyKey;
import io.onceflow.core.StepKey;
import io.onceflow.inbox.Decision;
import io.onceflow.inbox.Found;
import io.onceflow.payment.domain.PaymentReply.PaymentRefunded;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class RefundPaymentTest {

  private static final Instant LATER = AnOrder.NOW.plusSeconds(60);

  private final BooksOnPaper gateway = BooksOnPaper.charging();
  private final RefundPayment handler = new RefundPayment(gateway);

  @Test
  void leavesATombstoneWhereNothingWasCharged() {
    assertThat(decide(new Found.Nothing<>()))
        .isEqualTo(
            Decision.tombstone("process-payment")
                .<Payment>reply(new PaymentRefunded(AnOrder.ID, 0)));
    assertThat(handler.undoes()).contains("process-payment");
  }

  @Test
  void waitsForAChargeThatIsUnderWay() {
    assertThat(decide(new Found.Running<>())).isEqualTo(Decision.waitFor("process-payment"));
  }

  @Test
  void givesBackWhatWasCharged() throws Exception {
    Decision.Answer<Payment> answer = callOut("root");

    assertThat(gateway.asked)
        .containsExactly("refund 2500 of ch_0199c3a460217a5b as root:refund-payment of alice");
    assertThat(answer.reply()).isEqualTo(AnOrder.paymentRefunded());
    assertThat(answer.rows()).containsExactly(AnOrder.charged().refundedAt(LATER));
  }

  @Test
  void isTheSameRefundToTheGatewayWhoeverAsksForIt() throws Exception {
    callOut("root");
    callOut("another-root");

    assertThat(List.copyOf(gateway.asked)).hasSize(2).containsOnly(gateway.asked.getFirst());
  }

  @Test
  void hasNothingToGiveBackOfADeclinedCharge() {
    assertThat(decide(new Found.Done<>(AnOrder.declined())))
        .isEqualTo(Decision.reply(new PaymentRefunded(AnOrder.ID, 0)));
  }

  @Test
  void hasTheGatewaySettleAChargeOfWhichNobodyKnows() throws Exception {
    Decision.Answer<Payment> answer = callOut("root", new Found.InDoubt<>());

    assertThat(gateway.asked).containsExactly("annul root:process-payment of alice");
    assertThat(answer.reply()).isEqualTo(AnOrder.paymentRefunded());
    assertThat(answer.rows())
        .singleElement()
        .satisfies(
            payment -> {
              assertThat(payment.status()).isEqualTo(Payment.Status.REFUNDED);
              assertThat(payment.amount()).isEqualTo(2500);
              assertThat(payment.key().step()).hasToString("root:process-payment");
            });
  }

  @Test
  void writesNothingDownWhenTheGatewayKnowsOfNoCharge() throws Exception {
    BooksOnPaper empty =
        new BooksOnPaper(new PaymentGateway.Outcome.Declined(DeclineReason.CARD_DECLINED));

    Decision.Answer<Payment> answer =
        callOut(new RefundPayment(empty), "root", new Found.InDoubt<>());

    assertThat(answer).isEqualTo(Decision.reply(new PaymentRefunded(AnOrder.ID, 0)));
  }

  @Test
  void knowsThePaymentThatItsChargeHasWritten() {
    StepKey charge = AnOrder.charged().key().step();

    assertThat(handler.wasWrittenBy(AnOrder.charged(), "alice", charge)).isTrue();
    assertThat(handler.wasWrittenBy(AnOrder.charged(), "bob", charge)).isFalse();
    assertThat(handler.wasWrittenBy(AnOrder.charged(), "alice", charge.sibling("other"))).isFalse();
  }

  /** The sagas of two orchestrators may have the same root key. */
  @Test
  void doesNotTakeAPaymentOfAnotherOriginForItsOwn() {
    StepKey ours = AnOrder.charged().key().step();
    StepKey theirs = new StepKey(ours.root(), ours.step(), "shop/sell");

    assertThat(handler.wasWrittenBy(AnOrder.charged(), "alice", theirs)).isFalse();
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
    return new ChargeKey("alice", charge).refund().toString();
  }

  @Test
  void givesNothingBackTwice() {
    assertThat(decide(new Found.Done<>(AnOrder.charged().refundedAt(AnOrder.NOW))))
        .isEqualTo(Decision.reply(new PaymentRefunded(AnOrder.ID, 0)));
    assertThatThrownBy(() -> AnOrder.charged().refundedAt(LATER).refundedAt(LATER))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("REFUNDED");
  }

  private Decision.Answer<Payment> callOut(String root) throws Exception {
    return callOut(root, new Found.Done<>(AnOrder.charged()));
  }

  private Decision.Answer<Payment> callOut(String root, Found<Payment> charge) throws Exception {
    return callOut(handler, root, charge);
  }

  private static Decision.Answer<Payment> callOut(
      RefundPayment handler, String root, Found<Payment> charge) throws Exception {
    Decision<Payment> decision = handler.decide(AnOrder.refundPayment(), charge, LATER);
    assertThat(decision).isInstanceOf(Decision.CallOut.class);
    Decision.CallOut<Payment> out = (Decision.CallOut<Payment>) decision;
    String step = out.isUndoing() ? "process-payment" : "refund-payment";
    return out.call().with("alice", new StepKey(new IdempotencyKey(root), step));
  }

  private Decision<Payment> decide(Found<Payment> charge) {
    return handler.decide(AnOrder.refundPayment(), charge, LATER);
  }
}
