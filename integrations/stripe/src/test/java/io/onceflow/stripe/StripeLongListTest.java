package io.onceflow.stripe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.onceflow.participant.CallKey;
import io.onceflow.sql.Sql;
import io.onceflow.stripe.StripePayments.Annulled;
import io.onceflow.stripedouble.StripeDouble;
import io.onceflow.test.TestPostgres;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.UUID;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * How much of Stripe's list is read for a charge that is given up long after it was asked for,
 * while many others were made; and that nothing is missed for that.
 */
class StripeLongListTest {

  private static final DataSource DATABASE =
      TestPostgres.database("stripe_long_list", "db/onceflow/stripe");

  private static final StripeDouble STRIPE = StripeDouble.start(0, StripeDouble.Webhooks.NONE);

  private static final int OTHERS = 3 * (int) StripeIntents.PAGE;

  private final SimpleMeterRegistry metrics = new SimpleMeterRegistry();
  private final String order = UUID.randomUUID().toString();
  private final CallKey key = TestStripe.newKey();
  private final CallKey refund = key.sibling("refund-payment");
  private final StripeRequests requests = new StripeRequests(DATABASE);
  private final StripePayments stripe =
      TestStripe.payments(STRIPE, DATABASE, Clock.systemUTC(), TestStripe.API_KEY, metrics);

  /** They are newer than what a test makes older. */
  @BeforeAll
  static void makeOthers() {
    StripeIntents others = new StripeIntents(TestStripe.calls(STRIPE));
    for (int i = 0; i < OTHERS; i++) {
      others.takeKey(TestStripe.newKey(), "other", TestStripe.MONEY);
    }
  }

  @AfterEach
  void mend() {
    STRIPE.faults().none();
  }

  @AfterAll
  static void stop() {
    STRIPE.close();
  }

  /** Its request would be made when nobody looks for it any more. */
  @Test
  void hasNoChargeOfAProcessThatStoodStillBeforeItsRequest() {
    StripePayments slow = TestStripe.payments(STRIPE, DATABASE, new StandingStill());
    StripeCharge charge = new StripeCharge(2500, "EUR", "pm_card_visa", order, false);

    assertThatThrownBy(() -> slow.charge(key, charge))
        .isInstanceOf(StripeUnavailable.class)
        .hasMessageContaining("paused for PT4H");
    assertThat(STRIPE.intents(StripeIntents.KEY, key.value())).isEmpty();
  }

  /** Two hours pass before each look at it. */
  private static final class StandingStill extends Clock {

    private Instant now = Instant.now();

    @Override
    public Instant instant() {
      now = now.plus(Duration.ofHours(2));
      return now;
    }

    @Override
    public ZoneId getZone() {
      return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
      return this;
    }
  }

  @Test
  void isShortWhereTheKeyTellsThatNothingWasCharged() throws Exception {
    requests.ask(key, order, TestStripe.MONEY);
    wasAskedFor(Duration.ofHours(10));

    assertThat(stripe.annul(key, refund, order)).isEmpty();
    assertThat(pages()).isEqualTo(1);
  }

  @Test
  void isThatOfTheTimeInWhichAChargeWasAskedFor() throws Exception {
    String charge = chargeBehindAnError();
    STRIPE.age(charge, Duration.ofDays(3));
    wasAskedFor(Duration.ofDays(3));

    assertThat(stripe.annul(key, refund, order)).contains(new Annulled(charge, 2500, "EUR"));
    assertThat(pages()).isEqualTo(1);
  }

  /** A request may be held up on its way, such as by a process that stood still. */
  @ParameterizedTest
  @ValueSource(ints = {10, 30})
  void isAllThatWasMadeSinceWhereTheKeyWasUsedLate(int hours) throws Exception {
    requests.ask(key, order, TestStripe.MONEY);
    wasAskedFor(Duration.ofHours(hours));
    chargeLate();

    assertThat(stripe.annul(key, refund, order)).isPresent();
    assertThat(pages()).isGreaterThan(OTHERS / StripeIntents.PAGE);
  }

  /** The database's clock is ahead of Stripe's, by more than clocks usually differ. */
  @Test
  void beginsBeforeAChargeWasAskedForWhereItsKeyWasUsed() {
    String charge = chargeBehindAnError();
    STRIPE.age(charge, Duration.ofMinutes(30));

    assertThat(stripe.annul(key, refund, order)).contains(new Annulled(charge, 2500, "EUR"));
  }

  /** All that was made since would be read at each attempt, and each would end at its deadline. */
  @Test
  void isThatOfAnHourWhereTheKeyMayBeForgottenAndNothingWasCharged() throws Exception {
    requests.ask(key, order, TestStripe.MONEY);
    wasAskedFor(Duration.ofHours(30));

    assertThat(stripe.annul(key, refund, order)).isEmpty();
    assertThat(pages()).isEqualTo(3);
  }

  @Test
  void hasAChargeOfTheHourInWhichItsRequestMayHaveBeenHeldUp() throws Exception {
    requests.ask(key, order, TestStripe.MONEY);
    wasAskedFor(Duration.ofHours(30));
    STRIPE.age(chargeLate(), Duration.ofMinutes(30 * 60 - 45));
    STRIPE.forgetKeys();

    assertThat(stripe.annul(key, refund, order)).isPresent();
    assertThat(pages()).isEqualTo(2);
  }

  private String chargeBehindAnError() {
    StripeCharge charge = new StripeCharge(2500, "EUR", "pm_sim_error_after_charge", order, false);
    assertThatThrownBy(() -> stripe.charge(key, charge)).isInstanceOf(StripeUnavailable.class);
    return String.valueOf(STRIPE.intents(StripeIntents.KEY, key.value()).get(0).get("id"));
  }

  private String chargeLate() {
    StripeIntents late = new StripeIntents(TestStripe.calls(STRIPE));
    StripeCharge charge = new StripeCharge(2500, "EUR", "pm_card_visa", order, false);
    return ((StripeIntents.Created.Made) late.charge(key, charge, 2500)).intent().getId();
  }

  private void wasAskedFor(Duration before) throws SQLException {
    try (Connection connection = DATABASE.getConnection()) {
      Sql.update(
          connection,
          """
          UPDATE stripe_request
          SET    first_at = first_at - make_interval(secs => ?),
                 last_at  = last_at - make_interval(secs => ?)
          WHERE  key = ?
          """,
          (double) before.toSeconds(),
          (double) before.toSeconds(),
          key.value());
    }
  }

  private double pages() {
    return metrics
        .counter("onceflow.stripe.requests", "operation", "find charge", "result", "ok")
        .count();
  }
}
