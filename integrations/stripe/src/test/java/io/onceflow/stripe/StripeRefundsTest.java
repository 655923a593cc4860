package io.onceflow.stripe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import com.stripe.exception.StripeException;
import com.stripe.param.RefundCreateParams;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.onceflow.participant.CallKey;
import io.onceflow.reconciliation.internal.refund.FailedRefunds;
import io.onceflow.sql.ExpiringTable.CollectedTable;
import io.onceflow.sql.Sql;
import io.onceflow.stripe.StripeRefundTable.MoneyWith;
import io.onceflow.stripedouble.StripeDouble;
import io.onceflow.test.TestPostgres;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Refunds that Stripe refuses, or that the bank sends back. */
class StripeRefundsTest {

  private static final DataSource DATABASE =
      TestPostgres.database("stripe_refunds", "db/onceflow/stripe");

  private static final StripeDouble STRIPE = StripeDouble.start(0, StripeDouble.Webhooks.NONE);

  private final String order = UUID.randomUUID().toString();
  private final CallKey key = TestStripe.newKey();
  private final CallKey refund = key.sibling("refund-payment");
  private final StripeRefundTable table = new StripeRefundTable(DATABASE);
  private final StripePayments stripe = TestStripe.payments(STRIPE, DATABASE, Clock.systemUTC());
  private String charge = "";

  @BeforeEach
  void charge() {
    StripeCharge card = new StripeCharge(2500, "EUR", "pm_card_visa", order, false);
    charge = ((StripeOutcome.Charged) stripe.charge(key, card)).intent();
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
  @ValueSource(
      strings = {"charge_disputed", "refund_disputed_payment", "charge_not_refundable", "other"})
  void tellsStripesCodeOfARefusal(String code) throws Exception {
    STRIPE.faults().refusesRefunds(code);

    refundFails(code);

    assertThat(table.of(order)).singleElement().extracting("failure").isEqualTo(code);
  }

  /** Stripe repeats its answers under a key: a refusal, and an error of its own. */
  @ParameterizedTest
  @ValueSource(strings = {"balance_insufficient", "api_error"})
  void isMadeOnceTheCauseOfASavedErrorIsGone(String code) throws Exception {
    STRIPE.faults().refusesRefunds(code);
    assertThatThrownBy(() -> stripe.refund(refund, order, charge))
        .isInstanceOf(RuntimeException.class);
    STRIPE.faults().none();

    stripe.refund(refund, order, charge);

    assertThat(STRIPE.refunds(charge)).hasSize(1);
    assertThat(table.open()).noneMatch(it -> it.reference().equals(order));
  }

  @Test
  void seesARefundThatWasMadeByHandMeanwhile() throws Exception {
    STRIPE.faults().refusesRefunds("balance_insufficient");
    refundFails("balance_insufficient");
    STRIPE.faults().none();
    TestStripe.calls(STRIPE)
        .call(
            "test",
            it ->
                it.refunds().create(RefundCreateParams.builder().setPaymentIntent(charge).build()));

    stripe.refund(refund, order, charge);

    assertThat(STRIPE.refunds(charge)).hasSize(1);
  }

  /** An operator may have paid the customer in another way meanwhile. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void isNotMadeAgainByItselfThoughItsKeyIsForgotten(boolean rowIsLost) throws Exception {
    STRIPE.faults().refundStatus("failed");
    refundFails("expired_or_canceled_card");
    STRIPE.faults().none();
    STRIPE.forgetKeys();
    if (rowIsLost) {
      update("DELETE FROM stripe_refund WHERE key = ?", refund.value());
    }

    refundFails("expired_or_canceled_card");

    assertThat(STRIPE.refunds(charge)).extracting("status").containsExactly("failed");
  }

  @Test
  void isNotMadeOnceItIsResolved() throws Exception {
    STRIPE.faults().refusesRefunds("charge_disputed");
    refundFails("charge_disputed");
    STRIPE.faults().none();

    assertThat(table.resolve(refund.value(), MoneyWith.CUSTOMER, "olga", "dispute lost"))
        .isPresent();
    stripe.refund(refund, order, charge);

    assertThat(STRIPE.refunds(charge)).isEmpty();
    assertThat(audited())
        .isEqualTo(
            "resolve: dispute lost (of %s, %s: money with CUSTOMER)".formatted(order, charge));
  }

  @Test
  void isMadeAgainUnderANewKeyWhereAnOperatorSaysSo() throws Exception {
    STRIPE.faults().refundStatus("failed");
    refundFails("expired_or_canceled_card");
    STRIPE.faults().none();

    assertThat(table.retry(refund.value(), "olga", "the card is valid again")).isPresent();
    stripe.refund(refund, order, charge);
    stripe.refund(refund, order, charge);

    assertThat(STRIPE.refunds(charge)).extracting("status").containsExactly("failed", "succeeded");
  }

  /**
   * Before, it was open no more once it was retried, though the saga had ended and asked no more.
   */
  @Test
  void staysOpenWhereTheRetryIsNotAnswered() throws Exception {
    STRIPE.faults().refundStatus("failed");
    refundFails("expired_or_canceled_card");
    table.retry(refund.value(), "olga", "the card is valid again");
    STRIPE.faults().none();
    STRIPE.faults().answersOtherwise(503, "");
    assertThatThrownBy(() -> stripe.refund(refund, order, charge))
        .isInstanceOf(StripeUnavailable.class);
    STRIPE.faults().none();

    assertThat(table.open()).anyMatch(it -> it.reference().equals(order));
    assertThat(table.retry(refund.value(), "olga", "once more")).isPresent();
    stripe.refund(refund, order, charge);

    assertThat(STRIPE.refunds(charge)).extracting("status").containsExactly("failed", "succeeded");
    assertThat(table.open()).noneMatch(it -> it.reference().equals(order));
  }

  /**
   * As an operator has it mended from the comparison of the books, whose table knows no failure.
   */
  @Test
  void isMadeAgainThoughNoEventHasToldOfItsFailure() throws Exception {
    stripe.refund(refund, order, charge);
    STRIPE.parties().failRefund(String.valueOf(STRIPE.refunds(charge).getFirst().get("id")));

    assertThat(stripe.refundAgain(refund, order, charge)).isTrue();
    assertThat(stripe.refundAgain(refund, order, charge)).isTrue();

    assertThat(STRIPE.refunds(charge)).extracting("status").containsExactly("failed", "succeeded");
    assertThat(stripe.refundFailure(order, charge)).isEmpty();
  }

  @Test
  void isNotMadeAgainWhereItIsResolvedMeanwhile() throws Exception {
    STRIPE.faults().refundStatus("failed");
    refundFails("expired_or_canceled_card");
    STRIPE.faults().none();
    assertThat(stripe.refundFailure(order, charge)).contains("expired_or_canceled_card");
    table.resolve(refund.value(), MoneyWith.CUSTOMER, "olga", "paid by transfer");

    assertThat(stripe.refundAgain(refund, order, charge)).isFalse();

    assertThat(STRIPE.refunds(charge)).extracting("status").containsExactly("failed");
    assertThat(stripe.refundFailure(order, charge)).isEmpty();
  }

  /** Before, the saga waited for ever, though the customer had all of the money. */
  @Test
  void seesARefundThatWasMadeByHandAfterItHadFailed() throws Exception {
    STRIPE.faults().refundStatus("failed");
    refundFails("expired_or_canceled_card");
    STRIPE.faults().none();
    byHand(1000L);
    refundFails("expired_or_canceled_card");
    byHand(1500L);

    stripe.refund(refund, order, charge);

    assertThat(STRIPE.refunds(charge)).hasSize(3);
    assertThat(table.open()).noneMatch(it -> it.reference().equals(order));
  }

  private void byHand(long amount) throws StripeException {
    RefundCreateParams part =
        RefundCreateParams.builder().setPaymentIntent(charge).setAmount(amount).build();
    TestStripe.calls(STRIPE).call("test", it -> it.refunds().create(part));
  }

  /** The alert names order and refund, and the saga's page says it at the step. */
  @Test
  void isNamedByTheMetricUntilItIsResolved() throws Exception {
    SimpleMeterRegistry metrics = new SimpleMeterRegistry();
    FailedRefunds failed =
        new StripeFailedRefunds(TestStripeConfig.of(STRIPE.url(), "a-key"), DATABASE, metrics);
    STRIPE.faults().refundStatus("failed");
    refundFails("expired_or_canceled_card");

    failed.look();
    failed.look();

    assertThat(
            metrics
                .get("onceflow.refunds.failed")
                .tags("reference", order, "refund", refund.value(), "system", "stripe")
                .tag("failure", "expired_or_canceled_card")
                .gauge()
                .value())
        .isEqualTo(1);
    assertThat(laterFailures(failed)).containsOnlyKeys(refund.value());
    assertThat(laterFailures(failed).get(refund.value())).endsWith(": expired_or_canceled_card");
    table.resolve(refund.value(), MoneyWith.MERCHANT, "olga", "the customer keeps the goods");
    failed.look();
    assertThat(metrics.find("onceflow.refunds.failed").tag("reference", order).gauge()).isNull();
    assertThat(laterFailures(failed)).isEmpty();
  }

  private Map<String, String> laterFailures(FailedRefunds failed) throws SQLException {
    try (Connection connection = DATABASE.getConnection()) {
      return failed.of(connection, List.of(key.value(), refund.value()));
    }
  }

  /** A request that is under way could refund what is resolved as paid in another way. */
  @Test
  void isNotResolvedWhileARequestMayBeUnderWay() throws Exception {
    table.begin(refund.value(), order, charge);
    update("UPDATE stripe_refund SET failure = 'x' WHERE key = ?", refund.value());

    assertThat(table.resolve(refund.value(), MoneyWith.CUSTOMER, "olga", "paid")).isEmpty();
  }

  /** Before: it was resolved while the retry was under way, and the customer was paid twice. */
  @Test
  void isNotResolvedWhileItIsRetried() throws Exception {
    table.begin(refund.value(), order, charge);
    table.failed(refund.value(), order, charge, "re_failed", "lost_or_stolen_card");

    assertThat(table.retry(refund.value())).isPresent();

    assertThat(table.resolve(refund.value(), MoneyWith.CUSTOMER, "olga", "paid")).isEmpty();
  }

  /** PostgreSQL's clock was an hour ahead when it was asked for, and has been set back. */
  @Test
  void isResolvedThoughItWasAskedForByAClockThatWasAhead() throws Exception {
    table.begin(refund.value(), order, charge);
    update(
        "UPDATE stripe_refund SET failure = 'x', asking_until = now() + interval '1 h' WHERE key = ?",
        refund.value());

    assertThat(table.resolve(refund.value(), MoneyWith.CUSTOMER, "olga", "paid")).isPresent();
  }

  @Test
  void isNeitherResolvedNorAskedForAgainWhereItSucceeded() throws Exception {
    stripe.refund(refund, order, charge);

    assertThat(table.resolve(refund.value(), MoneyWith.CUSTOMER, "olga", "paid")).isEmpty();
    assertThat(table.retry(refund.value(), "olga", "again")).isEmpty();
  }

  /** Its alert would end with it, and the money would still not be back. */
  @Test
  void isKeptForAsLongAsItIsOpen() throws Exception {
    STRIPE.faults().refusesRefunds("charge_disputed");
    refundFails("charge_disputed");
    update(
        "UPDATE stripe_refund SET created_at = now() - interval '1 year', asking_until = NULL"
            + " WHERE key = ?",
        refund.value());
    collect();
    assertThat(table.find(refund.value())).isPresent();

    table.resolve(refund.value(), MoneyWith.CUSTOMER, "olga", "the dispute has given it back");
    collect();
    assertThat(table.find(refund.value())).isEmpty();
  }

  private static void collect() throws SQLException {
    CollectedTable old =
        StripeRetention.refunds(TestStripeConfig.of(STRIPE.url(), "sk_test_double"))
            .expiring()
            .orElseThrow();
    try (Connection connection = DATABASE.getConnection()) {
      Sql.update(connection, old.delete(), old.kept().toMillis(), 1000);
    }
  }

  private void refundFails(String code) {
    assertThatThrownBy(() -> stripe.refund(refund, order, charge))
        .asInstanceOf(type(StripeRefundFailed.class))
        .extracting(StripeRefundFailed::code)
        .isEqualTo(code);
  }

  private String audited() throws SQLException {
    try (Connection connection = DATABASE.getConnection()) {
      return Sql.find(
              connection,
              "SELECT action || ': ' || reason || ' (' || detail || ')' AS it FROM operator_audit"
                  + " WHERE subject_id = ?",
              row -> row.text("it"),
              refund.value())
          .orElseThrow();
    }
  }

  private static void update(String sql, Object... parameters) throws SQLException {
    try (Connection connection = DATABASE.getConnection()) {
      assertThat(Sql.update(connection, sql, parameters)).isEqualTo(1);
    }
  }
}
