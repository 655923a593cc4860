package io.onceflow.stripe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onceflow.participant.CallKey;
import io.onceflow.stripedouble.StripeDouble;
import io.onceflow.test.TestPostgres;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Stripe's lists, of which a page is shorter than a day. */
class StripeListTest {

  private static final DataSource DATABASE =
      TestPostgres.database("stripe_list", "db/onceflow/stripe");

  private static final int CHARGES = 205;

  private final StripeDouble stripe = StripeDouble.start(0, StripeDouble.Webhooks.NONE);
  private final StripePayments payments = TestStripe.payments(stripe, DATABASE, Clock.systemUTC());
  private final StripeList list = new StripeList(TestStripe.calls(stripe));

  private final Instant from = Instant.now().minus(Duration.ofHours(1));
  private final Instant before = Instant.now().plus(Duration.ofHours(1));

  @AfterEach
  void stop() {
    stripe.close();
  }

  @Test
  void readsAllChargesOfATimePageByPage() {
    for (int i = 0; i < CHARGES; i++) {
      charge(TestStripe.newKey(), "order-" + i);
    }

    List<ListedCharge> charges = charges(from, before);
    assertThat(charges)
        .extracting(ListedCharge::reference)
        .doesNotHaveDuplicates()
        .hasSize(CHARGES);
    assertThat(charges)
        .allSatisfy(it -> assertThat(it.amount()).isEqualTo(2500))
        .allSatisfy(it -> assertThat(it.refunded()).isZero())
        .allSatisfy(it -> assertThat(it.currency()).isEqualTo("ISK"))
        .allSatisfy(it -> assertThat(it.status()).isEqualTo("succeeded"));
    assertThat(charges(from.minus(Duration.ofDays(1)), from)).isEmpty();
    assertThat(charges(before, before.plus(Duration.ofDays(1)))).isEmpty();
  }

  @Test
  void saysWhatWasRefunded() {
    CallKey key = TestStripe.newKey();
    CallKey refund = key.sibling("refund-payment");
    charge(key, "order");
    payments.annul(key, refund, "order");

    assertThat(charges(from, before))
        .singleElement()
        .satisfies(it -> assertThat(it.key()).isEqualTo(key.value()))
        .satisfies(it -> assertThat(it.refunded()).isEqualTo(2500));
    List<ListedRefund> refunds = new ArrayList<>();
    list.refunds(from, before, refunds::add);
    assertThat(refunds)
        .singleElement()
        .satisfies(it -> assertThat(it.key()).isEqualTo(refund.value()))
        .satisfies(it -> assertThat(it.amount()).isEqualTo(2500))
        .satisfies(it -> assertThat(it.status()).isEqualTo("succeeded"));
  }

  /** An intent that only keeps its key from being used is nobody's charge. */
  @Test
  void leavesOutWhatOnlyTakesAKey() {
    CallKey key = TestStripe.newKey();
    new StripeRequests(DATABASE).ask(key, "order");
    payments.annul(key, key.sibling("refund-payment"), "order");

    assertThat(stripe.intents(StripeIntents.VOID, "true")).hasSize(1);
    assertThat(charges(from, before)).isEmpty();
  }

  @Test
  void saysThatStripeDoesNotAnswer() {
    stripe.close();

    assertThatThrownBy(() -> charges(from, before)).isInstanceOf(StripeUnavailable.class);
  }

  private void charge(CallKey key, String order) {
    payments.charge(key, new StripeCharge(2500, "ISK", "pm_card_visa", order, true));
  }

  private List<ListedCharge> charges(Instant since, Instant until) {
    List<ListedCharge> charges = new ArrayList<>();
    list.charges(since, until, charges::add);
    return charges;
  }
}
