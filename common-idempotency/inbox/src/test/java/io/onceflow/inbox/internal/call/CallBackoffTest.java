package io.onceflow.inbox.internal.call;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.inbox.TestConfig;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** First backoff 250 ms, longest 30 s: the defaults. */
class CallBackoffTest {

  private final CallBackoff backoff = new CallBackoff(TestConfig.inbox().callOut());

  @ParameterizedTest
  @CsvSource({"1, 250", "2, 500", "3, 1000", "7, 16000", "8, 30000", "9, 30000", "1000000, 30000"})
  void doublesUpToItsLongestLessAFifthAtMost(int attempts, long millis) {
    for (int i = 0; i < 100; i++) {
      assertThat(backoff.afterFailure(attempts).toMillis()).isBetween(millis * 4 / 5, millis);
    }
  }

  @ParameterizedTest
  @CsvSource({"0, 100", "1, 100", "2, 200", "20, 30000"})
  void looksSoonerWhetherARunningActionHasEnded(int attempts, long millis) {
    assertThat(backoff.whileWaiting(attempts).toMillis()).isBetween(millis * 4 / 5, millis);
  }

  @Test
  void isNotTheSameForAll() {
    Set<Duration> pauses = new HashSet<>();
    for (int i = 0; i < 100; i++) {
      pauses.add(backoff.afterFailure(8));
    }
    assertThat(pauses).hasSizeGreaterThan(10);
  }
}
