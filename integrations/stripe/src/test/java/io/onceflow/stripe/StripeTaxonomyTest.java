package io.onceflow.stripe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.onceflow.participant.CallKey;
import io.onceflow.stripedouble.StripeDouble;
import io.onceflow.test.TestPostgres;
import java.time.Clock;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.FutureTask;
import javax.sql.DataSource;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What each kind of Stripe's errors is taken for, and counted as. */
class StripeTaxonomyTest {

  private static final DataSource DATABASE =
      TestPostgres.database("stripe_taxonomy", "db/onceflow/stripe");

  private static final StripeDouble STRIPE = StripeDouble.start(0, StripeDouble.Webhooks.NONE);

  private final SimpleMeterRegistry metrics = new SimpleMeterRegistry();
  private final String order = UUID.randomUUID().toString();
  private final CallKey key = TestStripe.newKey();
  private final StripePayments stripe = payments(TestStripe.API_KEY);

  private StripePayments payments(String apiKey) {
    return TestStripe.payments(STRIPE, DATABASE, Clock.systemUTC(), apiKey, metrics);
  }

  @AfterEach
  void mend() {
    STRIPE.faults().none();
  }

  @AfterAll
  static void stop() {
    STRIPE.close();
  }

  @ParameterizedTest
  @CsvSource({
    "pm_card_visa_chargeDeclined, generic_decline",
    "pm_card_chargeDeclinedLostCard, lost_card",
    "pm_card_chargeDeclinedStolenCard, stolen_card",
    "pm_card_chargeDeclinedExpiredCard, expired_card",
    "pm_card_chargeDeclinedIncorrectCvc, incorrect_cvc",
    "pm_card_chargeDeclinedProcessingError, processing_error",
    "pm_card_chargeDeclinedVelocityLimitExceeded, card_velocity_exceeded"
  })
  void aCardErrorIsADecline(String paymentMethod, String code) {
    assertThat(charge(paymentMethod, 2500)).isEqualTo(new StripeOutcome.Declined(code));
    assertThat(count("charge", "declined")).isEqualTo(1);
    assertThat(charge(paymentMethod, 2500)).as("again").isEqualTo(new StripeOutcome.Declined(code));
  }

  @Test
  void anInvalidRequestIsADecline() {
    assertThat(charge("pm_card_visa", 10))
        .isEqualTo(new StripeOutcome.Declined("amount_too_small"));
    assertThat(count("charge", "invalid")).isEqualTo(1);
  }

  @ParameterizedTest
  @CsvSource({
    "sk_test_revoked, unauthorized",
    "rk_test_without_permissions, unauthorized",
  })
  void aRefusedKeySaysNothingAboutTheCharge(String apiKey, String kind) {
    assertThatThrownBy(
            () ->
                payments(apiKey)
                    .charge(key, new StripeCharge(2500, "EUR", "pm_card_visa", order, true)))
        .isInstanceOf(StripeUnavailable.class)
        .hasMessageNotContaining(apiKey);
    assertThat(count("charge", kind)).isEqualTo(1);
    assertThat(charge("pm_card_visa", 2500))
        .as("with a good key")
        .isInstanceOf(StripeOutcome.Charged.class);
  }

  /** At start: a service that cannot take money does not start. */
  @Test
  void withoutAKeyThereAreNoPayments() {
    StripeConfig config = TestStripeConfig.of(Map.of("url", STRIPE.url()));

    assertThatThrownBy(
            () ->
                new StripePayments(
                    config,
                    new StripeClients(config, metrics),
                    new StripeRequests(DATABASE),
                    new StripeRefundTable(DATABASE)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("onceflow.stripe.api-key")
        .hasMessageContaining("ONCEFLOW_STRIPE_API_KEY");
  }

  @Test
  void tooManyRequestsSayNothingAboutTheCharge() {
    STRIPE.faults().tooManyRequests(1);
    assertThatThrownBy(() -> charge("pm_card_visa", 2500)).isInstanceOf(StripeUnavailable.class);
    assertThat(count("charge", "rate-limited")).isEqualTo(1);
    STRIPE.faults().none();

    assertThat(charge("pm_card_visa", 2500)).isInstanceOf(StripeOutcome.Charged.class);
  }

  @Test
  void aRequestUnderWaySaysNothingAboutTheCharge() throws Exception {
    STRIPE.faults().beforeAnswer().close();
    FutureTask<StripeOutcome> first = new FutureTask<>(() -> charge("pm_card_visa", 2500));
    Thread.ofVirtual().start(first);
    Awaitility.await().until(() -> STRIPE.faults().beforeAnswer().held() == 1);

    assertThat(charge("pm_card_visa", 2500))
        .as("found by its metadata, since the conflict says that it is a repeat")
        .isInstanceOf(StripeOutcome.Charged.class);
    assertThat(count("charge", "conflict")).isEqualTo(1);

    STRIPE.faults().none();
    assertThat(first.get()).isInstanceOf(StripeOutcome.Charged.class);
    assertThat(STRIPE.intents(StripeIntents.KEY, key.value())).hasSize(1);
  }

  @Test
  void anErrorOfStripesIsLookedUp() {
    STRIPE.faults().errorsAfterEffect(1);
    assertThatThrownBy(() -> charge("pm_card_visa", 2500)).isInstanceOf(StripeUnavailable.class);
    assertThat(count("charge", "error")).isEqualTo(1);
    STRIPE.faults().none();

    assertThat(charge("pm_card_visa", 2500)).isInstanceOf(StripeOutcome.Charged.class);
    assertThat(STRIPE.intents(StripeIntents.KEY, key.value())).hasSize(1);
  }

  @Test
  void anotherChargeUnderTheKeyIsAnsweredWithTheFirst() {
    StripeOutcome first = charge("pm_card_visa", 2500);

    assertThat(charge("pm_card_visa", 2600)).isEqualTo(first);
    assertThat(count("charge", "key-reused")).isEqualTo(1);
  }

  /** The bank sends the refund back while Stripe's answer is on its way, and that is an error. */
  @Test
  void aRefundThatFailsIsNotTakenForOneThatIsDone() throws Exception {
    StripeOutcome.Charged charged = (StripeOutcome.Charged) charge("pm_card_visa", 2500);
    STRIPE.faults().errorsAfterEffect(1).beforeAnswer().close();
    FutureTask<Void> refunding =
        new FutureTask<>(
            () -> stripe.refund(key.sibling("refund-payment"), order, charged.intent()), null);
    Thread.ofVirtual().start(refunding);
    Awaitility.await().until(() -> STRIPE.faults().beforeAnswer().held() == 1);
    STRIPE.parties().failRefund(String.valueOf(STRIPE.refunds(charged.intent()).get(0).get("id")));
    STRIPE.faults().none();

    assertThatThrownBy(refunding::get)
        .hasCauseInstanceOf(StripeRefundFailed.class)
        .hasMessageContaining("pay the customer in another way");
  }

  @ParameterizedTest
  @CsvSource({"JPY, 2500, 2500", "KWD, 2500, 2500", "ISK, 25, 2500", "EUR, 2500, 2500"})
  void countsAmountsAsStripeDoes(String currency, long amount, long stripes) {
    StripeOutcome outcome =
        stripe.charge(key, new StripeCharge(amount, currency, "pm_card_visa", order, true));

    assertThat(outcome).isInstanceOf(StripeOutcome.Charged.class);
    assertThat(STRIPE.intents(StripeIntents.KEY, key.value()).get(0))
        .containsEntry("amount", stripes);
    assertThat(stripe.annul(key, key.sibling("refund-payment"), order))
        .hasValueSatisfying(
            it -> {
              assertThat(it.amount()).isEqualTo(amount);
              assertThat(it.currency()).isEqualTo(currency);
            });
  }

  /** A new version of the library comes with a new version of the API: read its changes first. */
  @Test
  void namesTheVersionOfTheApi() {
    charge("pm_card_visa", 2500);

    assertThat(StripeClients.API_VERSION).isEqualTo("2026-07-29.dahlia");
    assertThat(STRIPE.versions()).containsExactly(StripeClients.API_VERSION);
  }

  private StripeOutcome charge(String paymentMethod, long amount) {
    return stripe.charge(key, new StripeCharge(amount, "EUR", paymentMethod, order, true));
  }

  private double count(String operation, String result) {
    return metrics
        .counter("onceflow.stripe.requests", "operation", operation, "result", result)
        .count();
  }
}
