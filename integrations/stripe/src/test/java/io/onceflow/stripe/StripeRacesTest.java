package io.onceflow.stripe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.stripe.param.PaymentIntentCreateParams;
import io.onceflow.participant.CallKey;
import io.onceflow.sql.Sql;
import io.onceflow.stripe.StripePayments.Annulled;
import io.onceflow.stripedouble.StripeDouble;
import io.onceflow.test.TestPostgres;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import javax.sql.DataSource;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What happens at Stripe, or is lost here, between two requests for one charge. */
class StripeRacesTest {

  private static final DataSource DATABASE =
      TestPostgres.database("stripe_races", "db/onceflow/stripe");

  private static final StripeDouble STRIPE = StripeDouble.start(0, StripeDouble.Webhooks.NONE);

  private final String order = UUID.randomUUID().toString();
  private final CallKey key = TestStripe.newKey();
  private final CallKey refund = key.sibling("refund-payment");
  private final StripeRequests requests = new StripeRequests(DATABASE);
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

  /** The customer pays with another card just when the payment is about to be cancelled. */
  @Test
  void isNotDeclinedWhereTheCustomerWasFasterThanItsCancellation() throws Exception {
    String intent = pending();
    STRIPE.parties().fail(intent);

    assertThatThrownBy(() -> whilePaid(intent, () -> stripe.charge(key, needsCustomer())))
        .hasCauseInstanceOf(StripeUnavailable.class);

    assertThat(stripe.charge(key, needsCustomer())).isEqualTo(new StripeOutcome.Charged(intent));
  }

  @Test
  void isRefundedWhereTheCustomerWasFasterThanItsCancellation() throws Exception {
    String intent = pending();

    assertThat(whilePaid(intent, () -> stripe.annul(key, refund, order)))
        .contains(new Annulled(intent, 2500, "EUR"));
    assertThat(STRIPE.refunds(intent)).hasSize(1);
  }

  /** Has the customer pay while the request that cancels the payment is on its way. */
  private static <T> T whilePaid(String intent, Callable<T> cancelling) throws Exception {
    STRIPE.faults().beforeEffect().close();
    FutureTask<T> underWay = new FutureTask<>(cancelling);
    Thread.ofVirtual().start(underWay);
    Awaitility.await().until(() -> STRIPE.faults().beforeEffect().held() == 1);
    assertThat(STRIPE.parties().succeed(intent)).isTrue();
    STRIPE.faults().none();
    return underWay.get();
  }

  /** The age of a key is that of its first request: Stripe counts from there. */
  @Test
  void looksForAChargeWhoseKeyIsOldThoughItWasAskedForJustNow() throws Exception {
    StripeOutcome first = stripe.charge(key, card());
    update(
        "UPDATE stripe_request SET first_at = first_at - interval '24 hours' WHERE key = ?",
        key.value());
    STRIPE.forgetKeys();

    assertThat(stripe.charge(key, card())).isEqualTo(first);
    assertThat(statuses()).containsExactly("succeeded");
  }

  /**
   * Stripe has carried a request out under the key, and what came of it cannot be seen yet: it is
   * not settled before the settling time is over.
   */
  @Test
  void isNotSettledWhileTheIntentBehindAUsedKeyMayTurnUp() throws Exception {
    requests.ask(key, order, TestStripe.MONEY);
    useKey();

    assertThatThrownBy(() -> stripe.annul(key, refund, order))
        .isInstanceOf(StripeUnavailable.class)
        .hasMessageContaining("may still appear until");

    StripePayments later = payments(Clock.offset(Clock.systemUTC(), Duration.ofMinutes(11)));
    assertThat(later.annul(key, refund, order)).isEmpty();
  }

  /** A request for an intent that does not say whose it is. */
  private void useKey() throws Exception {
    PaymentIntentCreateParams unmarked =
        PaymentIntentCreateParams.builder().setAmount(2500L).setCurrency("eur").build();
    TestStripe.calls(STRIPE)
        .call("test", it -> it.paymentIntents().create(unmarked, StripeIntents.under(key.value())));
  }

  @Test
  void leavesNothingOpenUnderAKeyThatItHasTaken() {
    requests.ask(key, order, TestStripe.MONEY);

    assertThat(stripe.annul(key, refund, order)).isEmpty();

    assertThat(statuses()).containsExactly("canceled");
  }

  /** An account need not take euros, nor so little. */
  @Test
  void takesTheKeyWithTheChargesOwnAmountAndCurrency() {
    requests.ask(key, order, new StripeRequests.Money(9900, "BRL"));

    assertThat(stripe.annul(key, refund, order)).isEmpty();

    assertThat(STRIPE.intents(StripeIntents.KEY, key.value()))
        .singleElement()
        .satisfies(
            it -> assertThat(it).containsEntry("amount", 9900L).containsEntry("currency", "brl"));
  }

  @Test
  void isNotSettledWhereItIsUnknownWhetherTheKeyIsTaken() {
    requests.ask(key, order, TestStripe.MONEY);
    STRIPE.faults().beforeEffect().close();
    assertThatThrownBy(() -> stripe.annul(key, refund, order))
        .isInstanceOf(StripeUnavailable.class);

    STRIPE.faults().none();
    Awaitility.await()
        .ignoreException(StripeUnavailable.class)
        .untilAsserted(() -> assertThat(stripe.annul(key, refund, order)).isEmpty());
    assertThat(statuses()).containsExactly("canceled");
  }

  @Test
  void staysGivenUpThoughTheDatabaseHasForgotten() throws Exception {
    requests.ask(key, order, TestStripe.MONEY);
    stripe.annul(key, refund, order);
    update("DELETE FROM stripe_request WHERE key = ?", key.value());

    assertThat(stripe.charge(key, card())).isEqualTo(new StripeOutcome.GivenUp());
  }

  private String pending() {
    return ((StripeOutcome.Pending) stripe.charge(key, needsCustomer())).intent();
  }

  private StripeCharge needsCustomer() {
    return new StripeCharge(2500, "EUR", "pm_card_authenticationRequired", order, true);
  }

  private StripeCharge card() {
    return new StripeCharge(2500, "EUR", "pm_card_visa", order, false);
  }

  private List<String> statuses() {
    return STRIPE.intents(StripeIntents.KEY, key.value()).stream()
        .map(it -> String.valueOf(it.get("status")))
        .toList();
  }

  private static void update(String sql, Object... parameters) throws SQLException {
    try (Connection connection = DATABASE.getConnection()) {
      assertThat(Sql.update(connection, sql, parameters)).isEqualTo(1);
    }
  }
}
