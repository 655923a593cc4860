package io.onceflow.payment;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.core.internal.StepKey;
import io.onceflow.participant.Answer;
import io.onceflow.participant.Answer.Rejection;
import io.onceflow.participant.Answer.ReplyOutcome;
import io.onceflow.participant.CallKey;
import io.onceflow.payment.domain.DeclineReason;
import io.onceflow.payment.domain.Payment;
import io.onceflow.payment.domain.PaymentGateway.Outcome;
import io.onceflow.payment.domain.PaymentReply.PaymentDeclined;
import io.onceflow.payment.domain.PaymentReply.PaymentProcessed;
import io.onceflow.payment.domain.ProcessPayment;
import jakarta.validation.Validation;
import jakarta.validation.Validator;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class ProcessPaymentTest {

  private static final Validator VALIDATOR =
      Validation.buildDefaultValidatorFactory().getValidator();

  private final BooksOnPaper gateway = BooksOnPaper.charging();

  @Test
  void chargesAnOrderThatHasNoPayment() throws Exception {
    Answer.Reply answer = process(gateway, AnOrder.processPayment());

    assertThat(gateway.asked).containsExactly("charge 2500 EUR as root:process-payment of alice");
    Payment payment = (Payment) answer.rows().getFirst();
    assertThat(payment.status()).isEqualTo(Payment.Status.PROCESSED);
    assertThat(payment.key()).isEqualTo(AnOrder.chargeKey());
    assertThat(payment.processedAt()).isEqualTo(AnOrder.NOW);
    assertThat(answer.body())
        .isEqualTo(new PaymentProcessed(AnOrder.ID, payment.id(), 2500, "EUR", AnOrder.REFERENCE));
  }

  @Test
  void keepsWhyTheGatewayDeclined() throws Exception {
    BooksOnPaper poor = new BooksOnPaper(new Outcome.Declined(DeclineReason.INSUFFICIENT_FUNDS));

    Answer.Reply answer = process(poor, AnOrder.processPayment());

    assertThat(answer.outcome()).isEqualTo(ReplyOutcome.REFUSED);
    assertThat(answer.body()).isEqualTo(AnOrder.paymentDeclined());
    Payment payment = (Payment) answer.rows().getFirst();
    assertThat(payment.status()).isEqualTo(Payment.Status.DECLINED);
    assertThat(payment.declineReason()).isEqualTo(DeclineReason.INSUFFICIENT_FUNDS);
  }

  @Test
  void tellsAnotherRootKeyThatTheOrderIsPaid() throws Exception {
    assertThat(process(gateway, AnOrder.processPayment(), AnOrder.charged()))
        .isEqualTo(Answer.done(AnOrder.paymentProcessed()));
    assertThat(gateway.asked).isEmpty();
  }

  @Test
  void tellsAnotherRootKeyThatTheOrderWasDeclined() throws Exception {
    assertThat(process(gateway, AnOrder.processPayment(), AnOrder.declined()))
        .isEqualTo(Answer.refused(AnOrder.paymentDeclined()));
  }

  @Test
  void doesNotChargeAgainWhatWasGivenBack() throws Exception {
    Payment refunded = AnOrder.charged().refundedAt(AnOrder.NOW);

    assertThat(process(gateway, AnOrder.processPayment(), refunded))
        .isEqualTo(
            Answer.of(
                ReplyOutcome.CANCELLED, new PaymentDeclined(AnOrder.ID, DeclineReason.CANCELLED)));
  }

  @ParameterizedTest
  @CsvSource({"2501, EUR", "2500, USD"})
  void refusesAnotherAmountForAnOrderThatIsPaid(long amount, String currency) throws Exception {
    ProcessPayment other = new ProcessPayment(AnOrder.ID, amount, currency, "pm_card_visa");

    assertThat(process(gateway, other, AnOrder.charged()))
        .isEqualTo(Answer.refused(new PaymentDeclined(AnOrder.ID, DeclineReason.ALREADY_PAID)));
  }

  /** Two orchestrators may use the same order id, and a saga may charge an order in two steps. */
  @ParameterizedTest
  @CsvSource({"process-payment, shop/sell", "charge-deposit, ''"})
  void chargesAnotherStepOfTheSameOrder(String step, String origin) throws Exception {
    StepKey other = new StepKey(AnOrder.processKey().root(), step, origin);
    Payment theirs =
        Payment.charged(
            AnOrder.PAYMENT_ID,
            new CallKey("alice", other),
            AnOrder.processPayment(),
            AnOrder.REFERENCE,
            AnOrder.NOW);

    process(gateway, AnOrder.processPayment(), theirs);

    assertThat(gateway.asked).containsExactly("charge 2500 EUR as root:process-payment of alice");
  }

  @ParameterizedTest
  @EnumSource(Rejection.class)
  void saysWhyItIsNotDone(Rejection why) {
    assertThat(AnOrder.payments(gateway).notCharged(AnOrder.processPayment(), why))
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
    ProcessPayment nonsense = new ProcessPayment(AnOrder.ID, amount, currency, method);

    assertThat(VALIDATOR.validate(nonsense)).hasSize(1);
    assertThat(VALIDATOR.validate(AnOrder.processPayment())).isEmpty();
  }

  private static Answer.Reply process(
      BooksOnPaper gateway, ProcessPayment command, Payment... ofOrder) throws Exception {
    CallKey key = new CallKey("alice", AnOrder.processKey());
    return (Answer.Reply) AnOrder.payments(gateway).process(command, key, List.of(ofOrder));
  }
}
