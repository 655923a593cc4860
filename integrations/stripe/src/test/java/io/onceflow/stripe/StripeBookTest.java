package io.onceflow.stripe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import com.stripe.StripeClient;
import com.stripe.exception.StripeException;
import com.stripe.param.PaymentIntentCreateParams;
import com.stripe.param.RefundCreateParams;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.onceflow.participant.CallKey;
import io.onceflow.reconciliation.Book.Window;
import io.onceflow.reconciliation.BookEntry;
import io.onceflow.sql.Sql;
import io.onceflow.stripe.StripeRefundTable.MoneyWith;
import io.onceflow.stripedouble.StripeDouble;
import io.onceflow.test.TestPostgres;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class StripeBookTest {

  private static final DataSource DATABASE =
      TestPostgres.database("stripe_book", "db/onceflow/stripe");

  private final StripeRequests requests = new StripeRequests(DATABASE);
  private final StripeRefundTable refunds = new StripeRefundTable(DATABASE);
  private final StripeDouble stripe = StripeDouble.start(0, StripeDouble.Webhooks.NONE);
  private final SimpleMeterRegistry metrics = new SimpleMeterRegistry();
  private final StripeBook book = book("sk_test_double");
  private final StripeClient client =
      StripeClient.builder().setApiKey("sk_test_double").setApiBase(stripe.url()).build();
  private final Window around = new Window(Instant.now(), Instant.now()).widenedBy(MINUTE);

  private static final Duration MINUTE = Duration.ofMinutes(1);

  @AfterEach
  void stop() {
    stripe.close();
  }

  private StripeBook book(String key) {
    return new StripeBook(
        new StripeClients(TestStripeConfig.of(stripe.url(), key), metrics), requests, refunds);
  }

  private double requests(String operation, String result) {
    return metrics
        .counter("onceflow.stripe.requests", "operation", operation, "result", result)
        .count();
  }

  private String charge(long amount, String currency) throws StripeException {
    return client
        .v1()
        .paymentIntents()
        .create(
            PaymentIntentCreateParams.builder()
                .setAmount(amount)
                .setCurrency(currency)
                .setPaymentMethod("pm_card_visa")
                .setConfirm(true)
                .putMetadata(StripeIntents.REFERENCE, "order 1")
                .build())
        .getId();
  }

  private void refund(String intent) throws StripeException {
    client.v1().refunds().create(RefundCreateParams.builder().setPaymentIntent(intent).build());
  }

  private List<BookEntry> read(Window window) throws Exception {
    List<BookEntry> read = new ArrayList<>();
    book.read(window, read::add);
    return read;
  }

  @Test
  void listsChargesWithTheirStatesAndAmounts() throws Exception {
    String charged = charge(700, "eur");
    String inOtherUnits = charge(500, "isk");
    String refunded = charge(300, "eur");
    refund(refunded);

    assertThat(read(around))
        .extracting(BookEntry::reference, BookEntry::state, BookEntry::amount, BookEntry::currency)
        .containsExactlyInAnyOrder(
            tuple(charged, "CHARGED", 700L, "EUR"),
            tuple(inOtherUnits, "CHARGED", 5L, "ISK"),
            tuple(refunded, "REFUNDED|ABSENT", 300L, "EUR"));
    assertThat(read(around).getFirst().evidence()).isEqualTo(Map.of("reference", "order 1"));
  }

  /**
   * Another application with the same account charges in a currency that Java does not know yet.
   */
  @Test
  void listsAllOthersBesideAChargeInAnUnknownCurrency() throws Exception {
    String known = charge(700, "eur");
    String unknown = charge(500, "zzz");

    assertThat(read(around))
        .extracting(BookEntry::reference, BookEntry::amount, BookEntry::currency)
        .containsExactlyInAnyOrder(tuple(known, 700L, "EUR"), tuple(unknown, 500L, "ZZZ"));
  }

  @Test
  void listsWhatWasMadeInTheWindow() throws Exception {
    charge(700, "eur");

    assertThat(read(new Window(around.from().minus(MINUTE), around.from()))).isEmpty();
  }

  @Test
  void countsItsRequestsAsThoseThatMoveMoney() throws Exception {
    charge(700, "eur");
    read(around);
    StripeBook withOtherKey = book("sk_test_revoked");
    assertThatThrownBy(() -> withOtherKey.read(around, entry -> {}))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("Stripe's list of charges cannot be read");

    assertThat(requests("list charges", "ok")).isOne();
    assertThat(requests("list charges", "unauthorized")).isOne();
  }

  @Test
  void saysWhatItNeedsWhereThereIsNoKey() {
    StripeBook withoutKey =
        new StripeBook(
            new StripeClients(TestStripeConfig.of(Map.of("url", stripe.url())), metrics),
            requests,
            refunds);

    assertThatThrownBy(() -> withoutKey.find("pi_1"))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("onceflow.stripe.api-key");
  }

  /** Stripe lists a hundred refunds at once. */
  @Test
  void countsEveryRefundOfACharge() throws Exception {
    int refunds = (int) StripeIntents.PAGE + 1;
    String charge = charge(refunds, "eur");
    for (int i = 0; i < refunds; i++) {
      client
          .v1()
          .refunds()
          .create(RefundCreateParams.builder().setPaymentIntent(charge).setAmount(1L).build());
    }

    assertThat(book.find(charge)).extracting(BookEntry::state).containsExactly("REFUNDED|ABSENT");
  }

  @Test
  void findsAChargeByItsId() throws Exception {
    String refunded = charge(300, "eur");
    refund(refunded);

    assertThat(book.find(refunded))
        .singleElement()
        .satisfies(it -> assertThat(it.state()).isEqualTo("REFUNDED|ABSENT"));
    assertThat(book.find("pi_unknown")).isEmpty();
  }

  /** Before, those of a day were one answer, however many they were. */
  @Test
  void listsWhoseRefundsBeganOnADayPageByPage() throws Exception {
    Window longAgo = Window.of(LocalDate.of(2020, 1, 1));
    try (Connection connection = DATABASE.getConnection()) {
      Sql.update(
          connection,
          """
          INSERT INTO stripe_refund (key, reference, intent_id, created_at)
          SELECT 'page ' || number, 'page', 'pi_page_' || number, ?::timestamptz
          FROM   generate_series(1, 1001) AS number
          """,
          longAgo.from());
    }

    List<String> page = book.changedIn(longAgo, null);

    assertThat(page).hasSize(StripeRefundTable.PAGE);
    assertThat(book.changedIn(longAgo, page.getLast()))
        .singleElement()
        .satisfies(last -> assertThat(page).doesNotContain(last));
  }

  /** Stripe takes up to 45 days for that; its event may be lost. */
  @Test
  void findsThatARefundHasFailedAfterItWasMade() throws Exception {
    String intent = refunded("order 2");
    assertThat(book.changedIn(around, null)).contains(intent);

    stripe.parties().failRefund(String.valueOf(stripe.refunds(intent).getFirst().get("id")));

    assertThat(book.find(intent))
        .singleElement()
        .satisfies(
            it -> {
              assertThat(it.state()).isEqualTo("CHARGED");
              assertThat(it.evidence()).containsEntry("failure", "expired_or_canceled_card");
              assertThat(it.evidence()).containsKey("failedRefund");
            });
    assertThat(refunds.of("order 2"))
        .singleElement()
        .extracting("failure")
        .isEqualTo("expired_or_canceled_card");
  }

  /** Two applications may charge by one account; the other one's operators act on it. */
  @Test
  void recordsNoFailureOfARefundThatIsUnknownHere() throws Exception {
    String intent = refunded("order 4");
    stripe.parties().failRefund(String.valueOf(stripe.refunds(intent).getFirst().get("id")));
    try (Connection connection = DATABASE.getConnection()) {
      Sql.update(connection, "DELETE FROM stripe_refund WHERE intent_id = ?", intent);
    }

    book.find(intent);

    assertThat(refunds.of("order 4")).isEmpty();
  }

  /** What an operator has resolved is no difference, whatever our book says. */
  @Test
  void agreesWithAnyStateOnceTheRefundIsResolved() throws Exception {
    String intent = refunded("order 3");
    stripe.parties().failRefund(String.valueOf(stripe.refunds(intent).getFirst().get("id")));
    book.find(intent);
    String refund = refunds.of("order 3").getFirst().key();
    assertThat(refunds.resolve(refund, MoneyWith.CUSTOMER, "olga", "by transfer")).isPresent();

    assertThat(read(around))
        .filteredOn(it -> it.reference().equals(intent))
        .extracting(BookEntry::state)
        .containsExactly("CHARGED|REFUNDED|ABSENT");
    assertThat(book.find(intent))
        .singleElement()
        .satisfies(
            it -> {
              assertThat(it.state()).isEqualTo("CHARGED|REFUNDED|ABSENT");
              assertThat(it.evidence()).containsEntry("resolved", "money with CUSTOMER");
            });
  }

  private String refunded(String order) {
    CallKey key = TestStripe.newKey();
    StripePayments payments =
        TestStripe.payments(
            stripe, DATABASE, Clock.systemUTC(), "sk_test_double", new SimpleMeterRegistry());
    StripeCharge charge = new StripeCharge(700, "EUR", "pm_card_visa", order, false);
    String intent = ((StripeOutcome.Charged) payments.charge(key, charge)).intent();
    payments.refund(key.sibling("refund-payment"), order, intent);
    return intent;
  }

  /** The service was down for longer than what is under way is left to the next run. */
  @Test
  void hasJustChangedWhileTheStepOfTheChargeHasNotEnded() throws Exception {
    CallKey key = TestStripe.newKey();
    StripePayments payments =
        TestStripe.payments(
            stripe, DATABASE, Clock.systemUTC(), "sk_test_double", new SimpleMeterRegistry());
    StripeCharge charge = new StripeCharge(700, "EUR", "pm_card_visa", "order 1", false);
    String intent = ((StripeOutcome.Charged) payments.charge(key, charge)).intent();
    BookEntry ended = book.find(intent).getFirst();
    assertThat(ended.changedAt()).isEqualTo(ended.at());

    begin(key);

    Instant before = Instant.now();
    assertThat(book.find(intent))
        .singleElement()
        .satisfies(it -> assertThat(it.changedAt()).isAfterOrEqualTo(before));

    messageIsLost(key, "23 hours");
    assertThat(book.find(intent).getFirst().changedAt()).isAfterOrEqualTo(before);
    messageIsLost(key, "25 hours");
    assertThat(book.find(intent).getFirst().changedAt()).isEqualTo(ended.at());
  }

  /** The row holds none, and the lease is over for so long: the broker has not sent it again. */
  private static void messageIsLost(CallKey key, String since) throws SQLException {
    try (Connection connection = DATABASE.getConnection()) {
      Sql.update(
          connection,
          """
          UPDATE inbox_message
          SET    envelope = NULL, lease_expires_at = now() - ?::interval
          WHERE  scope = ?
          AND    step_key = ?
          """,
          since,
          key.scope(),
          key.stepKey());
    }
  }

  private static void begin(CallKey key) throws SQLException {
    try (Connection connection = DATABASE.getConnection()) {
      Sql.update(
          connection,
          """
          INSERT INTO inbox_message
                 (scope, step_key, fingerprint, status, lease_expires_at, envelope)
          VALUES (?, ?, '', 'STARTED', now(), '{}')
          """,
          key.scope(),
          key.stepKey());
    }
  }
}
