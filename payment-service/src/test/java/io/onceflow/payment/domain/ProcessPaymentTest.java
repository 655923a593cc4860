package io.onceflow.payment.domain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onceflow.inbox.Decision;
import io.onceflow.inbox.Found;
import io.onceflow.inbox.NotDone;
import io.onceflow.inbox.ReplyOutcome;
import io.onceflow.payment.domain.PaymentGateway.Outcome;
import io.onceflow.payment.domain.PaymentReply.PaymentDeclined;
import io.onceflow.payment.domain.PaymentReply.PaymentProcessed;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class ProcessPaymentTest {

  private final BooksOnPaper gateway = BooksOnPaper.charging();

  @Test
  void chargesAnOrderThatHasNoPayment() throws Exception {
    Decision.Answer<Payment> answer = callOut(gateway, new Found.Nothing<>());

    assertThat(gateway.asked).containsExactly("charge 2500 EUR as root:process-payment of alice");
    Payment payment = answer.rows().getFirst();
    assertThat(payment.status()).isEqualTo(Payment.Status.PROCESSED);
    assertThat(payment.key()).isEqualTo(AnOrder.chargeKey());
    assertThat(payment.processedAt()).isEqualTo(AnOrder.NOW);
    assertThat(answer.reply())
        .isEqualTo(new PaymentProcessed(AnOrder.ID, payment.id(), 2500, "EUR", AnOrder.REFERENCE));
  }

  @Test
  void asksTheGatewayOnlyWhenTheIntentIsRecorded() {
    decide(gateway, AnOrder.processPayment(), new Found.Nothing<>());

    assertThat(gateway.asked).isEmpty();
  }

  @Test
  void keepsWhyTheGatewayDeclined() throws Exception {
    BooksOnPaper poor = new BooksOnPaper(new Outcome.Declined(DeclineReason.INSUFFICIENT_FUNDS));

    Decision.Answer<Payment> answer = callOut(poor, new Found.Nothing<>());

    assertThat(answer.reply()).isEqualTo(AnOrder.paymentDeclined());
    Payment payment = answer.rows().getFirst();
    assertThat(payment.status()).isEqualTo(Payment.Status.DECLINED);
    assertThat(payment.declineReason()).isEqualTo(DeclineReason.INSUFFICIENT_FUNDS);
  }

  @Test
  void tellsAnotherRootKeyThatTheOrderIsPaid() {
    assertThat(decide(gateway, AnOrder.processPayment(), new Found.Done<>(AnOrder.charged())))
        .isEqualTo(Decision.reply(AnOrder.paymentProcessed()));
  }

  @Test
  void tellsAnotherRootKeyThatTheOrderWasDeclined() {
    assertThat(decide(gateway, AnOrder.processPayment(), new Found.Done<>(AnOrder.declined())))
        .isEqualTo(Decision.refuse(AnOrder.paymentDeclined()));
  }

  @Test
  void doesNotChargeAgainWhatWasGivenBack() {
    Payment refunded = AnOrder.charged().refundedAt(AnOrder.NOW);

    assertThat(decide(gateway, AnOrder.processPayment(), new Found.Done<>(refunded)))
        .isEqualTo(
            Decision.reply(
                ReplyOutcome.CANCELLED, new PaymentDeclined(AnOrder.ID, DeclineReason.CANCELLED)));
  }

  @ParameterizedTest
  @CsvSource({"2501, EUR", "2500, USD"})
  void refusesAnotherAmountForAnOrderThatIsPaid(long amount, String currency) {
    ProcessPaymentCommand other =
        new ProcessPaymentCommand(AnOrder.ID, amount, currency, "pm_card_visa");

    assertThat(decide(gateway, other, new Found.Done<>(AnOrder.charged())))
        .isEqualTo(Decision.refuse(new PaymentDeclined(AnOrder.ID, DeclineReason.ALREADY_PAID)));
  }

  @ParameterizedTest
  @EnumSource(NotDone.class)
  void saysWhyItIsNotDone(NotDone why) {
    assertThat(new ProcessPayment(gateway).notDone(AnOrder.processPayment(), why))
        .isEqualTo(new PaymentDeclined(AnOrder.ID, DeclineReason.valueOf(why.name())));
  }

  @ParameterizedTest
  @CsvSource({
    "0, EUR, pm_card_visa",
    "-1, EUR, pm_card_visa",
    "2500, Euro, pm_card_visa",
    "2500, eur, pm_card_visa",
    "2500, EUR, ' '"
  })
  void refusesNonsense(long amount, String currency, String method) {
    assertThatThrownBy(() -> new ProcessPaymentCommand(AnOrder.ID, amount, currency, method))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private static Decision.Answer<Payment> callOut(PaymentGateway gateway, Found<Payment> found)
      throws Exception {
    Decision<Payment> decision = decide(gateway, AnOrder.processPayment(), found);
    assertThat(decision).isInstanceOf(Decision.CallOut.class);
    return ((Decision.CallOut<Payment>) decision).call().with("alice", AnOrder.processKey());
  }

  private static Decision<Payment> decide(
      PaymentGateway gateway, ProcessPaymentCommand command, Found<Payment> found) {
    return new ProcessPayment(gateway).decide(command, found, AnOrder.NOW);
  }
}
