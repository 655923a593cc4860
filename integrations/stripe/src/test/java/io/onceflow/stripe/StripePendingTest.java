package io.onceflow.stripe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import io.onceflow.participant.CallKey;
import io.onceflow.stripe.StripePayments.Annulled;
import io.onceflow.stripedouble.StripeDouble;
import io.onceflow.test.TestPostgres;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Payments that wait for their customer or for the bank, at Stripe's double. */
class StripePendingTest {

  private static final DataSource DATABASE =
      TestPostgres.database("stripe_pending", "db/onceflow/stripe");

  private static final StripeDouble STRIPE = StripeDouble.start(0, StripeDouble.Webhooks.NONE);

  private static final String NEEDS_CUSTOMER = "pm_card_authenticationRequired";
  private static final String NEEDS_BANK = "pm_usBankAccount";

  private final String order = UUID.randomUUID().toString();
  private final CallKey key = TestStripe.newKey();
  private final CallKey refund = key.sibling("refund-payment");
  private final StripePayments stripe = TestStripe.payments(STRIPE, DATABASE, Clock.systemUTC());

  @AfterAll
  static void stop() {
    STRIPE.close();
  }

  @ParameterizedTest
  @CsvSource({NEEDS_CUSTOMER + ", requires_action", NEEDS_BANK + ", processing"})
  void waitsAndIsChargedOnceItHasSucceeded(String paymentMethod, String status) {
    String intent = pending(paymentMethod, status);
    assertThat(stripe.charge(key, charge(paymentMethod))).isInstanceOf(StripeOutcome.Pending.class);

    STRIPE.parties().succeed(intent);

    assertThat(stripe.charge(key, charge(paymentMethod)))
        .isEqualTo(new StripeOutcome.Charged(intent));
    assertThat(intents()).hasSize(1);
  }

  /** Stripe replays to the key what it answered first, which is that the payment is pending. */
  @Test
  void readsTheIntentWhereTheFirstAnswerWasNotRecorded() {
    StripeIntents lost = new StripeIntents(TestStripe.calls(STRIPE));
    new StripeRequests(DATABASE).ask(key, order, TestStripe.MONEY);
    lost.charge(key, charge(NEEDS_CUSTOMER), 2500);
    STRIPE.parties().succeed(String.valueOf(intents().get(0).get("id")));

    assertThat(stripe.charge(key, charge(NEEDS_CUSTOMER)))
        .isInstanceOf(StripeOutcome.Charged.class);
    assertThat(intents()).hasSize(1);
  }

  @ParameterizedTest
  @CsvSource({NEEDS_CUSTOMER + ", requires_action", NEEDS_BANK + ", processing"})
  void isDeclinedForGoodOnceItHasFailed(String paymentMethod, String status) {
    String intent = pending(paymentMethod, status);
    STRIPE.parties().fail(intent);

    assertThat(stripe.charge(key, charge(paymentMethod)))
        .isEqualTo(new StripeOutcome.Declined("authentication_failed"));
    assertThat(stripe.charge(key, charge(paymentMethod)))
        .as("again, such as after a crash")
        .isEqualTo(new StripeOutcome.Declined("authentication_failed"));
    assertThat(STRIPE.parties().succeed(intent)).as("the customer tries again").isFalse();
  }

  @Test
  void isCancelledWhenItIsGivenUp() {
    String intent = pending(NEEDS_CUSTOMER, "requires_action");

    assertThat(stripe.annul(key, refund, order)).isEmpty();

    assertThat(STRIPE.parties().succeed(intent)).as("the customer comes too late").isFalse();
    assertThat(stripe.charge(key, charge(NEEDS_CUSTOMER))).isEqualTo(new StripeOutcome.GivenUp());
  }

  @Test
  void isRefundedWhereTheCustomerWasFasterThanItsAnnulment() {
    String intent = pending(NEEDS_CUSTOMER, "requires_action");
    STRIPE.parties().succeed(intent);

    assertThat(stripe.annul(key, refund, order)).contains(new Annulled(intent, 2500, "EUR"));
    assertThat(STRIPE.refunds(intent)).hasSize(1);
  }

  /** A bank takes days: exceptions would open the circuit of all refunds meanwhile. */
  @Test
  void isRefundedLaterWhereTheBankCannotBeStopped() {
    String intent = pending(NEEDS_BANK, "processing");
    assertThatThrownBy(() -> stripe.annul(key, refund, order))
        .asInstanceOf(type(StripeRefundFailed.class))
        .satisfies(it -> assertThat(it.code()).isEqualTo("charge_processing"))
        .satisfies(it -> assertThat(it).hasMessageContaining(intent + ") is processing"));

    STRIPE.parties().succeed(intent);

    assertThat(stripe.annul(key, refund, order)).contains(new Annulled(intent, 2500, "EUR"));
    assertThat(STRIPE.refunds(intent)).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {NEEDS_CUSTOMER, NEEDS_BANK})
  void doesNotWaitWhereItMayNot(String paymentMethod) {
    StripeCharge impatient = new StripeCharge(2500, "EUR", paymentMethod, order, false);

    if (paymentMethod.equals(NEEDS_BANK)) {
      assertThatThrownBy(() -> stripe.charge(key, impatient)).isInstanceOf(StripeUnavailable.class);
    } else {
      assertThat(stripe.charge(key, impatient))
          .isEqualTo(new StripeOutcome.Declined("authentication_required"));
    }
  }

  @Test
  void showsItsOwnerAloneWhatConfirmsIt() {
    String intent = pending(NEEDS_CUSTOMER, "requires_action");

    assertThat(stripe.pending("bob", order)).isEmpty();
    assertThat(stripe.pending("alice", order))
        .singleElement()
        .satisfies(it -> assertThat(it.clientSecret()).startsWith(intent + "_secret_"))
        .satisfies(it -> assertThat(it.toString()).doesNotContain("secret"));

    STRIPE.parties().succeed(intent);
    assertThat(stripe.pending("alice", order))
        .containsExactly(new StripePendingPayment(order, "succeeded", null));
  }

  /** PostgreSQL refuses a NUL, which does not mean that Stripe is away. */
  @Test
  void isNotUnavailableForAReferenceThatIsNone() {
    assertThat(stripe.pending("alice", "order\0")).isEmpty();
  }

  private String pending(String paymentMethod, String status) {
    StripeOutcome outcome = stripe.charge(key, charge(paymentMethod));
    assertThat(outcome).isInstanceOf(StripeOutcome.Pending.class);
    StripeOutcome.Pending pending = (StripeOutcome.Pending) outcome;
    assertThat(pending.status()).isEqualTo(status);
    return pending.intent();
  }

  private List<Map<String, Object>> intents() {
    return STRIPE.intents(StripeIntents.KEY, key.value());
  }

  private StripeCharge charge(String paymentMethod) {
    return new StripeCharge(2500, "EUR", paymentMethod, order, true);
  }
}
