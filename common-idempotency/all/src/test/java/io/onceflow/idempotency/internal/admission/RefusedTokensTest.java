package io.onceflow.idempotency.internal.admission;

import static org.assertj.core.api.Assertions.assertThat;

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
    refused.remember("Bearer ada", OVER);
    assertThat(refused.find("Bearer ada")).hasValue(OVER);
    assertThat(refused.find("Bearer bob")).isEmpty();
    assertThat(refused.find(null)).isEmpty();
    nanos.addAndGet(Duration.ofMillis(100).toNanos());
    assertThat(refused.find("Bearer ada")).isEmpty();
  }

  @Test
  void aRequestWithoutATokenIsNotRemembered() {
    refused.remember(null, OVER);
    assertThat(refused.size()).isZero();
  }

  @Test
  void noMoreThanAThousandAreRemembered() {
    for (int i = 0; i < 3_000; i++) {
      refused.remember("Bearer " + i, OVER);
    }
    assertThat(refused.size()).isEqualTo(1_000);
    assertThat(refused.find("Bearer 2999")).isPresent();
  }

  @Test
  void whatIsOverIsForgottenWhenAnotherComes() {
    refused.remember("Bearer ada", OVER);
    nanos.addAndGet(Duration.ofSeconds(1).toNanos());
    refused.remember("Bearer bob", OVER);
    assertThat(refused.size()).isEqualTo(1);
  }
}
