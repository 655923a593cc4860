package io.onceflow.stripe;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.participant.CallKey;
import io.onceflow.stripe.StripeRequests.Asked;
import io.onceflow.test.TestPostgres;
import org.junit.jupiter.api.RepeatedTest;

/** Whether a charge was asked for before. */
class StripeRequestsTest {

  private static final StripeRequests REQUESTS =
      new StripeRequests(TestPostgres.database("stripe_requests", "db/onceflow/stripe"));

  /** Often, since a clock that is read twice for one row mostly tells one time. */
  @RepeatedTest(200)
  void onlyTheSecondRequestIsARepeat() {
    CallKey key = TestStripe.newKey();

    assertThat(REQUESTS.ask(key, "order-1", TestStripe.MONEY).map(Asked::isRepeat)).contains(false);
    assertThat(REQUESTS.ask(key, "order-1", TestStripe.MONEY).map(Asked::isRepeat)).contains(true);
    assertThat(REQUESTS.ask(key, "order-1", TestStripe.MONEY).map(Asked::isRepeat)).contains(true);
  }
}
