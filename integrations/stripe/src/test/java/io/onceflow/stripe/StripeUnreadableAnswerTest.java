package io.onceflow.stripe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.onceflow.participant.CallKey;
import io.onceflow.reconciliation.Book.Window;
import io.onceflow.stripedouble.StripeDouble;
import io.onceflow.test.TestPostgres;
import java.io.IOException;
import java.time.Clock;
import java.time.Instant;
import java.util.UUID;
import javax.sql.DataSource;
import org.assertj.core.util.Throwables;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Answers that are not Stripe's, or not of its form, as of a proxy whose backend is down. */
class StripeUnreadableAnswerTest {

  private static final DataSource DATABASE =
      TestPostgres.database("stripe_unreadable", "db/onceflow/stripe");

  private static final StripeDouble STRIPE = StripeDouble.start(0, StripeDouble.Webhooks.NONE);

  private final SimpleMeterRegistry metrics = new SimpleMeterRegistry();
  private final String order = UUID.randomUUID().toString();
  private final CallKey key = TestStripe.newKey();
  private final StripePayments stripe =
      TestStripe.payments(STRIPE, DATABASE, Clock.systemUTC(), TestStripe.API_KEY, metrics);
  private final StripeCharge charge =
      new StripeCharge(2500, "EUR", "pm_card_authenticationRequired", order, true);

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
    "503, ''",
    "502, <html>Bad Gateway</html>",
    "500, null",
    "500, []",
    "500, '{\"error\": 5}'",
    "400, '{\"error\": {\"code\": 400, \"message\": \"Bad Request\"}}'",
    "402, '{\"error\": {\"code\": \"PaymentRequired\"}}'",
    "404, '{\"error\": {\"code\": \"NotFound\"}}'",
    "200, ''",
    "200, <html>Sign in</html>",
    "200, null",
    "200, {}",
    "200, '{\"id\": \"pi_1\"}'"
  })
  void sayNothingAboutACharge(int status, String body) {
    STRIPE.faults().answersOtherwise(status, body);

    assertThatThrownBy(() -> stripe.charge(key, charge)).isInstanceOf(StripeUnavailable.class);
    assertThat(count("charge", "error")).isEqualTo(1);

    STRIPE.faults().none();
    assertThat(stripe.charge(key, charge)).isInstanceOf(StripeOutcome.Pending.class);
  }

  /** Such as one whose connection broke. What is said of it is logged, and kept with the step. */
  @ParameterizedTest
  @ValueSource(ints = {200, 402, 503})
  void areNotQuoted(int status) {
    STRIPE
        .faults()
        .answersOtherwise(status, "{\"id\": \"pi_1\", \"client_secret\": \"pi_1_secret_7");

    assertThatThrownBy(() -> stripe.charge(key, charge))
        .isInstanceOf(StripeUnavailable.class)
        .satisfies(it -> assertThat(Throwables.getStackTrace(it)).doesNotContain("secret_7"));
  }

  @ParameterizedTest
  @CsvSource({"503, ''", "200, ''", "200, {}"})
  void sayNothingAboutPendingPayments(int status, String body) {
    stripe.charge(key, charge);
    STRIPE.faults().answersOtherwise(status, body);

    assertThatThrownBy(() -> stripe.pending("alice", order)).isInstanceOf(StripeUnavailable.class);
  }

  @ParameterizedTest
  @CsvSource({
    "503, ''",
    "404, '{\"error\": {\"code\": \"NotFound\"}}'",
    "200, ''",
    "200, {}",
    "200, '{\"data\": null}'",
    "200, '{\"data\": [null]}'",
    "200, '{\"data\": [{}]}'"
  })
  void areNoPageOfABook(int status, String body) {
    StripeBook book =
        new StripeBook(
            new StripeClients(TestStripeConfig.of(STRIPE.url()), metrics),
            new StripeRequests(DATABASE),
            new StripeRefundTable(DATABASE));
    STRIPE.faults().answersOtherwise(status, body);

    assertThatThrownBy(() -> book.read(new Window(Instant.EPOCH, Instant.now()), entry -> {}))
        .isInstanceOf(IOException.class);
    assertThatThrownBy(() -> book.find("pi_1")).isInstanceOf(IOException.class);
  }

  /** An error of a proxy's may hide a charge as well as one of Stripe's. */
  @Test
  void areLookedUpAsErrorsAre() {
    STRIPE.faults().answersOtherwise(503, "");
    assertThatThrownBy(() -> stripe.charge(key, charge)).isInstanceOf(StripeUnavailable.class);
    assertThatThrownBy(() -> stripe.annul(key, key.sibling("refund-payment"), order))
        .isInstanceOf(StripeUnavailable.class);

    STRIPE.faults().none();
    assertThat(stripe.annul(key, key.sibling("refund-payment"), order)).isEmpty();
    assertThat(stripe.charge(key, charge)).isEqualTo(new StripeOutcome.GivenUp());
  }

  private double count(String operation, String result) {
    return metrics
        .counter("onceflow.stripe.requests", "operation", operation, "result", result)
        .count();
  }
}
