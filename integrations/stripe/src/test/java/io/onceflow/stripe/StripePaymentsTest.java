package io.onceflow.stripe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onceflow.core.IdempotencyKey;
import io.onceflow.core.internal.StepKey;
import io.onceflow.outbox.OutboxMessage;
import io.onceflow.participant.CallKey;
import io.onceflow.stripe.StripePayments.Annulled;
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
class StripePaymentsTest {

  private static final DataSource DATABASE =
      TestPostgres.database("stripe_payments", "db/onceflow/stripe");

  private static final StripeDouble STRIPE = StripeDouble.start(0, StripeDouble.Webhooks.NONE);

  private final String order = OutboxMessage.newId().toString();

  private final CallKey key =
      new CallKey(
          "alice",
          new StepKey(new IdempotencyKey(UUID.randomUUID().toString()), "process-payment"));
  private final CallKey refund = key.sibling("refund-payment");
  private final StripePayments stripe = payments(Clock.systemUTC());

  private static StripePayments payments(Clock clock) {
    return TestStripe.payments(STRIPE, DATABASE, clock);
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
    StripeOutcome first = stripe.charge(key, command("pm_card_visa"));

    assertThat(stripe.charge(key, command("pm_card_visa"))).isEqualTo(first);
    assertThat(charges()).singleElement().extracting(it -> it.get("amount")).isEqualTo(2500L);
    assertThat(first)
        .isEqualTo(new StripeOutcome.Charged(String.valueOf(charges().get(0).get("id"))));
  }

  @Test
  void chargesOnceThoughTheKeyIsForgotten() {
    StripeOutcome first = stripe.charge(key, command("pm_card_visa"));
    STRIPE.forgetKeys();

    StripePayments nextDay = payments(Clock.offset(Clock.systemUTC(), Duration.ofHours(24)));
    assertThat(nextDay.charge(key, command("pm_card_visa"))).isEqualTo(first);
    assertThat(charges()).hasSize(1);
  }

  @Test
  void givesUpThoughItsOwnRequestForTheKeyIsAnsweredWithAnError() {
    assertThatThrownBy(() -> stripe.charge(key, command("pm_sim_unavailable_twice")))
        .isInstanceOf(StripeUnavailable.class);
    STRIPE.faults().errorsAfterEffect(1);

    assertThat(stripe.annul(key, refund, order)).isEmpty();
    STRIPE.faults().none();
    assertThat(stripe.annul(key, refund, order)).isEmpty();
    assertThat(charges()).isEmpty();
  }

  @Test
  void findsAChargeThatIsPagesDownInTheList() {
    StripeOutcome first = stripe.charge(key, command("pm_card_visa"));
    for (int i = 0; i < 2 * StripeIntents.PAGE; i++) {
      stripe.charge(TestStripe.newKey(), command("pm_card_visa"));
    }
    STRIPE.forgetKeys();

    StripePayments nextDay = payments(Clock.offset(Clock.systemUTC(), Duration.ofHours(24)));
    assertThat(nextDay.charge(key, command("pm_card_visa"))).isEqualTo(first);
    assertThat(charges()).hasSize(1);
  }

  @Test
  void findsWhatWasChargedBehindAnError() {
    assertThatThrownBy(() -> stripe.charge(key, command("pm_sim_error_after_charge")))
        .isInstanceOf(StripeUnavailable.class);

    assertThat(stripe.charge(key, command("pm_sim_error_after_charge")))
        .isInstanceOf(StripeOutcome.Charged.class);
    assertThat(charges()).hasSize(1);
  }

  /**
   * Java's own HTTP client may send a request again whose connection breaks: under the same key.
   */
  @Test
  void chargesOnceThoughTheAnswerIsLost() {
    StripeOutcome outcome;
    try {
      outcome = stripe.charge(key, command("pm_sim_lost_answer"));
    } catch (StripeUnavailable once) {
      outcome = stripe.charge(key, command("pm_sim_lost_answer"));
    }

    assertThat(outcome).isInstanceOf(StripeOutcome.Charged.class);
    assertThat(charges()).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"pm_sim_unavailable_twice", "pm_sim_rate_limited_twice"})
  void asksAgainWhereNothingWasLookedAt(String paymentMethod) {
    for (int i = 0; i < 2; i++) {
      assertThatThrownBy(() -> stripe.charge(key, command(paymentMethod)))
          .isInstanceOf(StripeUnavailable.class);
      assertThat(charges()).isEmpty();
    }

    assertThat(stripe.charge(key, command(paymentMethod)))
        .isInstanceOf(StripeOutcome.Charged.class);
    assertThat(charges()).hasSize(1);
  }

  @ParameterizedTest
  @CsvSource({
    "pm_card_chargeDeclined, generic_decline",
    "pm_card_chargeDeclinedInsufficientFunds, insufficient_funds",
    "pm_card_authenticationRequired, authentication_required",
    "pm_unknown, resource_missing"
  })
  void declines(String paymentMethod, String reason) {
    assertThat(stripe.charge(key, command(paymentMethod)))
        .isEqualTo(new StripeOutcome.Declined(reason));
    assertThat(charges()).isEmpty();
  }

  @Test
  void declinesWhatStripeCannotCount() {
    StripeCharge thirdDecimal = new StripeCharge(2505, "KWD", "pm_card_visa", order, false);

    assertThat(stripe.charge(key, thirdDecimal))
        .isEqualTo(new StripeOutcome.Declined("amount_not_representable"));
    assertThat(STRIPE.intents(StripeIntents.KEY, key.value())).isEmpty();
  }

  @Test
  void givesBackOnce() {
    String charge = charged("pm_card_visa");

    stripe.refund(refund, order, charge);
    stripe.refund(refund, order, charge);
    STRIPE.forgetKeys();
    stripe.refund(refund, order, charge);

    assertThat(STRIPE.refunds(charge)).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void givesBackOnceBehindAnError(boolean answerIsLost) {
    String charge = charged("pm_card_visa");
    STRIPE.faults().errorsAfterEffect(answerIsLost ? 0 : 1).lostAnswers(answerIsLost ? 1 : 0);
    try {
      stripe.refund(refund, order, charge);
    } catch (StripeUnavailable asItMay) {
      STRIPE.faults().none();
    }
    stripe.refund(refund, order, charge);

    assertThat(STRIPE.refunds(charge)).hasSize(1);
  }

  @Test
  void findsAndGivesBackAChargeOfWhichNobodyKnew() {
    assertThatThrownBy(() -> stripe.charge(key, command("pm_sim_error_after_charge")))
        .isInstanceOf(StripeUnavailable.class);
    String charge = String.valueOf(charges().get(0).get("id"));

    assertThat(stripe.annul(key, refund, order)).contains(new Annulled(charge, 2500, "EUR"));
    assertThat(stripe.annul(key, refund, order))
        .as("again")
        .contains(new Annulled(charge, 2500, "EUR"));
    assertThat(STRIPE.refunds(charge)).hasSize(1);
  }

  @Test
  void chargesNothingThatWasGivenUp() {
    assertThat(stripe.annul(key, refund, order)).isEmpty();

    assertThat(stripe.charge(key, command("pm_card_visa"))).isEqualTo(new StripeOutcome.GivenUp());
    assertThat(STRIPE.intents(StripeIntents.KEY, key.value())).isEmpty();
  }

  @Test
  void chargesNothingByARequestThatComesAfterItWasGivenUp() {
    assertThatThrownBy(() -> stripe.charge(key, command("pm_sim_unavailable_twice")))
        .isInstanceOf(StripeUnavailable.class);
    assertThat(stripe.annul(key, refund, order)).isEmpty();

    // As a request that left before, and was held up on its way.
    StripeIntents late = new StripeIntents(TestStripe.calls(STRIPE));
    assertThat(late.charge(key, command("pm_card_visa"), 2500))
        .isEqualTo(new StripeIntents.Created.KeyUsed());
    assertThat(charges()).isEmpty();
  }

  @Test
  void leavesNoChargeStandingHoweverItRacesWithItsAnnulment() throws Exception {
    for (int i = 0; i < 30; i++) {
      CallKey raced =
          new CallKey(
              "alice",
              new StepKey(new IdempotencyKey(UUID.randomUUID().toString()), "process-payment"));
      FutureTask<StripeOutcome> charge =
          new FutureTask<>(() -> stripe.charge(raced, command("pm_card_visa")));
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
        stripe.annul(raced, raced.sibling("refund-payment"), order);
        return;
      } catch (StripeUnavailable whileTheOtherIsUnderWay) {
        Thread.onSpinWait();
      }
    }
    throw new AssertionError("not annulled");
  }

  private String charged(String paymentMethod) {
    StripeOutcome outcome = stripe.charge(key, command(paymentMethod));
    assertThat(outcome).isInstanceOf(StripeOutcome.Charged.class);
    return ((StripeOutcome.Charged) outcome).intent();
  }

  private List<Map<String, Object>> charges() {
    return succeeded(key);
  }

  private static List<Map<String, Object>> succeeded(CallKey key) {
    return STRIPE.intents(StripeIntents.KEY, key.value()).stream()
        .filter(it -> "succeeded".equals(it.get("status")))
        .toList();
  }

  private StripeCharge command(String paymentMethod) {
    return new StripeCharge(2500, "EUR", paymentMethod, order, false);
  }
}
