package io.onceflow.idempotency.internal.admission;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.idempotency.internal.admission.RequestPattern.Kind;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Whose requests are refused before their token is checked again. */
class RefusedTokensTest {

  private static final QuotaExceeded OVER =
      new QuotaExceeded("requests", 10, null, 1L, Duration.ofSeconds(1));

  private final AtomicLong nanos = new AtomicLong();
  private final RefusedTokens refused = new RefusedTokens(nanos::get);

  @Test
  void aTokenIsRefusedForAMomentAndOthersAreNot() {
    refused.remember(Kind.OTHER, "Bearer ada", OVER);
    assertThat(refused.find(Kind.OTHER, "Bearer ada")).hasValue(OVER);
    assertThat(refused.find(Kind.OTHER, "Bearer bob")).isEmpty();
    assertThat(refused.find(Kind.OTHER, null)).isEmpty();
    assertThat(refused.find(Kind.BEGINS_WORK, "Bearer ada")).isEmpty();
    nanos.addAndGet(Duration.ofMillis(100).toNanos());
    assertThat(refused.find(Kind.OTHER, "Bearer ada")).isEmpty();
  }

  @Test
  void aRequestWithoutATokenIsNotRemembered() {
    refused.remember(Kind.OTHER, null, OVER);
    assertThat(refused.size()).isZero();
  }

  @Test
  void noMoreThanAThousandAreRemembered() {
    for (int i = 0; i < 3_000; i++) {
      refused.remember(Kind.OTHER, "Bearer " + i, OVER);
    }
    assertThat(refused.size()).isEqualTo(1_000);
    assertThat(refused.find(Kind.OTHER, "Bearer 2999")).isPresent();
  }

  @Test
  void whatIsOverIsForgottenWhenAnotherComes() {
    refused.remember(Kind.OTHER, "Bearer ada", OVER);
    nanos.addAndGet(Duration.ofSeconds(1).toNanos());
    refused.remember(Kind.OTHER, "Bearer bob", OVER);
    assertThat(refused.size()).isEqualTo(1);
  }
}
