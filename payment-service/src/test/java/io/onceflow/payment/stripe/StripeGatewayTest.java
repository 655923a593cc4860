package io.onceflow.payment.stripe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onceflow.core.IdempotencyKey;
import io.onceflow.core.internal.StepKey;
import io.onceflow.outbox.OutboxMessage;
import io.onceflow.participant.CallKey;
import io.onceflow.payment.domain.DeclineReason;
import io.onceflow.payment.domain.PaymentGateway;
import io.onceflow.payment.domain.PaymentGateway.Annulled;
import io.onceflow.payment.domain.PaymentGateway.Outcome;
import io.onceflow.payment.domain.ProcessPayment;
import io.onceflow.stripedouble.StripeDouble;
import io.onceflow.test.TestPostgres;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.FutureTask;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is asked of Stripe, and what is made of its answers, against its double. */
class StripeGatewayTest {

  private static final DataSource DATABASE =
      TestPostgres.database("payment_stripe", "db/migration");

  private static final StripeDouble STRIPE = StripeDouble.start(0, StripeDouble.Webhooks.NONE);

  private final UUID order = OutboxMessage.newId();
  private final CallKey key =
      new CallKey(
          "alice",
          new StepKey(new IdempotencyKey(UUID.randomUUID().toString()), "process-payment"));
  private final StripeGateway gateway = gateway(Clock.systemUTC());

  private static StripeGateway gateway(Clock clock) {
    return new StripeGateway(
        new TestStripeConfig(STRIPE.url()), new StripeRequests(DATABASE), clock);
  }

  @AfterEach
  void mend() {
    STRIPE.faults().none();
  }

  @AfterAll
  static void stop() {
    STRIPE.close();
  }

  @Test
  void chargesOnceUnderAKeyAndAnswersTheSameAgain() {
    Outcome first = gateway.charge(key, command("pm_card_visa"));

    assertThat(gateway.charge(key, command("pm_card_visa"))).isEqualTo(first);
    assertThat(charges()).singleElement().extracting(it -> it.get("amount")).isEqualTo(2500L);
    assertThat(first).isEqualTo(new Outcome.Charged(String.valueOf(charges().get(0).get("id"))));
  }

  @Test
  void chargesOnceThoughTheKeyIsForgotten() {
    Outcome first = gateway.charge(key, command("pm_card_visa"));
    STRIPE.forgetKeys();

    StripeGateway nextDay = gateway(Clock.offset(Clock.systemUTC(), Duration.ofHours(24)));
    assertThat(nextDay.charge(key, command("pm_card_visa"))).isEqualTo(first);
    assertThat(charges()).hasSize(1);
  }

  @Test
  void findsWhatWasChargedBehindAnError() {
    assertThatThrownBy(() -> gateway.charge(key, command("pm_sim_error_after_charge")))
        .isInstanceOf(StripeUnavailable.class);

    assertThat(gateway.charge(key, command("pm_sim_error_after_charge")))
        .isInstanceOf(Outcome.Charged.class);
    assertThat(charges()).hasSize(1);
  }

  /**
   * Java's own HTTP client may send a request again whose connection breaks: under the same key.
   */
  @Test
  void chargesOnceThoughTheAnswerIsLost() {
    Outcome outcome;
    try {
      outcome = gateway.charge(key, command("pm_sim_lost_answer"));
    } catch (StripeUnavailable once) {
      outcome = gateway.charge(key, command("pm_sim_lost_answer"));
    }

    assertThat(outcome).isInstanceOf(Outcome.Charged.class);
    assertThat(charges()).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"pm_sim_unavailable_twice", "pm_sim_rate_limited_twice"})
  void asksAgainWhereNothingWasLookedAt(String paymentMethod) {
    for (int i = 0; i < 2; i++) {
      assertThatThrownBy(() -> gateway.charge(key, command(paymentMethod)))
          .isInstanceOf(StripeUnavailable.class);
      assertThat(charges()).isEmpty();
    }

    assertThat(gateway.charge(key, command(paymentMethod))).isInstanceOf(Outcome.Charged.class);
    assertThat(charges()).hasSize(1);
  }

  @ParameterizedTest
  @CsvSource({
    "pm_card_chargeDeclined, CARD_DECLINED",
    "pm_card_chargeDeclinedInsufficientFunds, INSUFFICIENT_FUNDS",
    "pm_card_authenticationRequired, CARD_DECLINED",
    "pm_unknown, CARD_DECLINED"
  })
  void declines(String paymentMethod, DeclineReason reason) {
    assertThat(gateway.charge(key, command(paymentMethod))).isEqualTo(new Outcome.Declined(reason));
    assertThat(charges()).isEmpty();
  }

  @Test
  void declinesWhatStripeCannotCount() {
    ProcessPayment thirdDecimal = new ProcessPayment(order, 2505, "KWD", "pm_card_visa");

    assertThat(gateway.charge(key, thirdDecimal))
        .isEqualTo(new Outcome.Declined(DeclineReason.CARD_DECLINED));
    assertThat(STRIPE.intents(StripeApi.KEY, key.value())).isEmpty();
  }

  @Test
  void givesBackOnce() {
    String charge = charged("pm_card_visa");

    gateway.refund(PaymentGateway.refundOf(key), order, charge, 2500);
    gateway.refund(PaymentGateway.refundOf(key), order, charge, 2500);
    STRIPE.forgetKeys();
    gateway.refund(PaymentGateway.refundOf(key), order, charge, 2500);

    assertThat(STRIPE.refunds(charge)).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void givesBackOnceBehindAnError(boolean answerIsLost) {
    String charge = charged("pm_card_visa");
    STRIPE.faults().errorsAfterEffect(answerIsLost ? 0 : 1).lostAnswers(answerIsLost ? 1 : 0);
    try {
      gateway.refund(PaymentGateway.refundOf(key), order, charge, 2500);
    } catch (StripeUnavailable asItMay) {
      STRIPE.faults().none();
    }
    gateway.refund(PaymentGateway.refundOf(key), order, charge, 2500);

    assertThat(STRIPE.refunds(charge)).hasSize(1);
  }

  @Test
  void findsAndGivesBackAChargeOfWhichNobodyKnew() {
    assertThatThrownBy(() -> gateway.charge(key, command("pm_sim_error_after_charge")))
        .isInstanceOf(StripeUnavailable.class);
    String charge = String.valueOf(charges().get(0).get("id"));

    assertThat(gateway.annul(key, order)).contains(new Annulled(charge, 2500, "EUR"));
    assertThat(gateway.annul(key, order)).as("again").contains(new Annulled(charge, 2500, "EUR"));
    assertThat(STRIPE.refunds(charge)).hasSize(1);
  }

  @Test
  void chargesNothingThatWasGivenUp() {
    assertThat(gateway.annul(key, order)).isEmpty();

    assertThat(gateway.charge(key, command("pm_card_visa")))
        .isEqualTo(new Outcome.Declined(DeclineReason.CANCELLED));
    assertThat(STRIPE.intents(StripeApi.KEY, key.value())).isEmpty();
  }

  @Test
  void chargesNothingByARequestThatComesAfterItWasGivenUp() {
    assertThatThrownBy(() -> gateway.charge(key, command("pm_sim_unavailable_twice")))
        .isInstanceOf(StripeUnavailable.class);
    assertThat(gateway.annul(key, order)).isEmpty();

    // As a request that left before, and was held up on its way.
    StripeApi late = new StripeApi(new TestStripeConfig(STRIPE.url()));
    assertThat(late.charge(key, order, 2500, "EUR", "pm_card_visa"))
        .isEqualTo(new StripeApi.Created.KeyUsed());
    assertThat(charges()).isEmpty();
  }

  @Test
  void leavesNoChargeStandingHoweverItRacesWithItsAnnulment() throws Exception {
    for (int i = 0; i < 30; i++) {
      CallKey raced =
          new CallKey(
              "alice",
              new StepKey(new IdempotencyKey(UUID.randomUUID().toString()), "process-payment"));
      FutureTask<Outcome> charge =
          new FutureTask<>(() -> gateway.charge(raced, command("pm_card_visa")));
      Thread.ofVirtual().start(charge);
      annulUntilDone(raced);
      charge.get();

      for (Map<String, Object> intent : succeeded(raced)) {
        assertThat(STRIPE.refunds(String.valueOf(intent.get("id")))).hasSize(1);
      }
    }
  }

  private void annulUntilDone(CallKey raced) {
    for (int i = 0; i < 1000; i++) {
      try {
        gateway.annul(raced, order);
        return;
      } catch (StripeUnavailable whileTheOtherIsUnderWay) {
        Thread.onSpinWait();
      }
    }
    throw new AssertionError("not annulled");
  }

  private String charged(String paymentMethod) {
    Outcome outcome = gateway.charge(key, command(paymentMethod));
    assertThat(outcome).isInstanceOf(Outcome.Charged.class);
    return ((Outcome.Charged) outcome).reference();
  }

  private List<Map<String, Object>> charges() {
    return succeeded(key);
  }

  private static List<Map<String, Object>> succeeded(CallKey key) {
    return STRIPE.intents(StripeApi.KEY, key.value()).stream()
        .filter(it -> "succeeded".equals(it.get("status")))
        .toList();
  }

  private ProcessPayment command(String paymentMethod) {
    return new ProcessPayment(order, 2500, "EUR", paymentMethod);
  }
}
