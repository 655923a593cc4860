package io.onceflow.stripe;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.participant.CallKey;
import io.onceflow.sql.Sql;
import io.onceflow.stripe.StripeRefundTable.Stored;
import io.onceflow.stripedouble.StripeDouble;
import io.onceflow.test.TestPostgres;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/**
 * Random histories of refunds: answers that are lost, refusals, refunds that the bank sends back,
 * their events late and twice, crashes between two writes, forgotten keys, a restored database, and
 * an operator who retries. No refund is made after one has failed unless the operator said so; and
 * once the trouble is over and the operator has retried, the customer has the money once.
 */
class StripeRefundHistoriesTest {

  private static final DataSource DATABASE =
      TestPostgres.database("stripe_refund_histories", "db/onceflow/stripe");

  private static final StripeDouble STRIPE = StripeDouble.start(0, StripeDouble.Webhooks.NONE);
  private static final int HISTORIES = 60;
  private static final int STEPS = 14;

  private final StripeRefundTable table = new StripeRefundTable(DATABASE);
  private final StripePayments stripe = TestStripe.payments(STRIPE, DATABASE, Clock.systemUTC());

  @AfterAll
  static void stop() {
    STRIPE.close();
  }

  @Test
  void giveTheMoneyBackOnceAndNeverTwice() throws Exception {
    for (int seed = 0; seed < HISTORIES; seed++) {
      new History(seed).play();
    }
  }

  /** What happens to one refund. */
  private final class History {

    private final int seed;
    private final Random random;
    private final List<String> log = new ArrayList<>();
    private final List<String> events = new ArrayList<>();
    private final String order = UUID.randomUUID().toString();
    private final CallKey refund;
    private final String charge;

    History(int seed) {
      this.seed = seed;
      this.random = new Random(seed);
      CallKey key = TestStripe.newKey();
      StripeCharge card = new StripeCharge(2500, "EUR", "pm_card_visa", order, false);
      this.charge = ((StripeOutcome.Charged) stripe.charge(key, card)).intent();
      this.refund = key.sibling("refund-payment");
    }

    void play() throws SQLException {
      for (int step = 0; step < STEPS; step++) {
        switch (random.nextInt(9)) {
          case 0, 1, 2 -> attempt();
          case 3 -> trouble();
          case 4 -> failAtTheBank();
          case 5 -> event();
          case 6 -> retry();
          case 7 -> crash();
          default -> forget();
        }
      }
      STRIPE.faults().none();
      for (int i = 0; i < STEPS && made() == 0; i++) {
        retry();
        attempt();
      }
      events();
      attempt();
      assertThat(made()).as("%s: %s", seed, log).isEqualTo(2500);
      assertThat(table.open())
          .as("%s: %s", seed, log)
          .noneMatch(it -> it.reference().equals(order));
    }

    private void attempt() throws SQLException {
      Set<String> retried = table.find(refund.value()).map(Stored::retried).orElse(Set.of());
      boolean mayBeMade = made() > 0 || failed().stream().allMatch(retried::contains);
      int before = STRIPE.refunds(charge).size();
      ask();
      if (!mayBeMade) {
        assertThat(STRIPE.refunds(charge)).as("%s: %s", seed, log).hasSize(before);
      }
      assertThat(made()).as("%s: %s", seed, log).isLessThanOrEqualTo(2500);
    }

    private void ask() {
      try {
        stripe.refund(refund, order, charge);
        log.add("made");
      } catch (StripeRefundFailed | StripeUnavailable e) {
        log.add(e instanceof StripeRefundFailed failed ? failed.code() : "unavailable");
      }
    }

    private void trouble() {
      STRIPE.faults().none();
      int which = random.nextInt(6);
      switch (which) {
        case 0 -> STRIPE.faults().errorsAfterEffect(1);
        case 1 -> STRIPE.faults().lostAnswers(1);
        case 2 -> STRIPE.faults().refusesRefunds("balance_insufficient");
        case 3 -> STRIPE.faults().refundStatus("failed");
        case 4 -> STRIPE.faults().refundStatus("pending");
        default -> STRIPE.faults().refusesRefunds("api_error");
      }
      log.add("trouble " + which);
    }

    private void failAtTheBank() {
      STRIPE.refunds(charge).stream()
          .filter(it -> !StripeRefunds.FAILED.contains(it.get("status")))
          .forEach(it -> STRIPE.parties().failRefund(String.valueOf(it.get("id"))));
      failed().stream().filter(it -> !events.contains(it)).forEach(events::add);
      log.add("bank");
    }

    /** Any of those that may have been sent, again too. */
    private void event() {
      if (!events.isEmpty()) {
        String failed = events.get(random.nextInt(events.size()));
        table.failed(refund.value(), order, charge, failed, "expired_or_canceled_card");
        log.add("event");
      }
    }

    private void events() {
      events.forEach(
          failed ->
              table.failed(refund.value(), order, charge, failed, "expired_or_canceled_card"));
    }

    private void retry() throws SQLException {
      Optional<Stored> retried = table.retry(refund.value(), "olga", "seen in a test");
      log.add("retry " + retried.isPresent());
      if (retried.isPresent() && random.nextBoolean()) {
        ask();
      }
    }

    /** The process ends after its first write. */
    private void crash() {
      table.begin(refund.value(), order, charge);
      log.add("crash");
    }

    private void forget() throws SQLException {
      STRIPE.forgetKeys();
      log.add("forgotten");
      if (random.nextBoolean()) {
        try (Connection connection = DATABASE.getConnection()) {
          Sql.update(connection, "DELETE FROM stripe_refund WHERE key = ?", refund.value());
        }
        log.add("restored");
      }
    }

    private long made() {
      return STRIPE.refunds(charge).stream()
          .filter(it -> !StripeRefunds.FAILED.contains(it.get("status")))
          .mapToLong(it -> (Long) it.get("amount"))
          .sum();
    }

    private List<String> failed() {
      return STRIPE.refunds(charge).stream()
          .filter(it -> StripeRefunds.FAILED.contains(it.get("status")))
          .map(it -> String.valueOf(it.get("id")))
          .toList();
    }
  }
}
