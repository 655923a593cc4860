package io.onceflow.inbox.internal.call;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.inbox.TestConfig;
import io.onceflow.inbox.internal.call.CircuitBreaker.Permit;
import io.onceflow.inbox.internal.call.CircuitBreaker.Result;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class CircuitBreakerTest {

  private static final String ADA = "ada";
  private static final Duration PAUSE = Duration.ofSeconds(2);

  private long now;
  private final CircuitBreaker breaker =
      new CircuitBreaker(
          "TakeMoney",
          TestConfig.inbox(Map.of("call-out.circuit.window", 4, "call-out.circuit.pause", PAUSE))
              .callOut()
              .circuit(),
          () -> now);

  @Test
  void letsCallsThroughWhileFewerThanThreeQuartersFail() {
    for (int i = 0; i < 10; i++) {
      call(Result.FAILED, Result.FAILED, Result.ANSWERED, Result.ANSWERED);
    }

    assertThat(breaker.enter(ADA)).isNotNull();
    assertThat(breaker.isOpen()).isFalse();
  }

  @Test
  void opensWhenThreeQuartersOfTheLatestCallsHaveFailed() {
    call(Result.ANSWERED, Result.ANSWERED, Result.FAILED, Result.FAILED);
    assertThat(breaker.isOpen()).isFalse();

    call(Result.FAILED);

    assertThat(breaker.isOpen()).isTrue();
    assertThat(breaker.enter(ADA)).isNull();
  }

  @Test
  void judgesByNoFewerCallsThanItsWindow() {
    call(Result.FAILED, Result.FAILED, Result.FAILED);

    assertThat(breaker.isOpen()).isFalse();
  }

  @Test
  void countsNothingThatSaysNothingAboutTheOtherSystem() {
    call(Result.UNKNOWN, Result.UNKNOWN, Result.FAILED, Result.FAILED, Result.FAILED);

    assertThat(breaker.isOpen()).isFalse();
  }

  @Test
  void makesOneCallAfterThePauseAsATrial() {
    open();
    pass(PAUSE.minusNanos(1));
    assertThat(breaker.enter(ADA)).isNull();

    pass(Duration.ofNanos(1));

    assertThat(breaker.enter(ADA)).isEqualTo(new Permit(true));
    assertThat(breaker.enter(ADA)).as("while the trial is under way").isNull();
  }

  @Test
  void closesWhenTheTrialIsAnswered() {
    open();
    pass(PAUSE);
    call(Result.ANSWERED);

    assertThat(breaker.isOpen()).isFalse();
    call(Result.FAILED, Result.FAILED, Result.FAILED);
    assertThat(breaker.isOpen()).as("what failed before is forgotten").isFalse();
  }

  @Test
  void pausesAgainWhenTheTrialFails() {
    open();
    pass(PAUSE);
    call(Result.FAILED);

    assertThat(breaker.enter(ADA)).isNull();
    pass(PAUSE);
    assertThat(breaker.enter(ADA)).isEqualTo(new Permit(true));
  }

  @Test
  void makesAnotherTrialAtOnceWhenOneSaysNothing() {
    open();
    pass(PAUSE);
    call(Result.UNKNOWN);

    assertThat(breaker.enter(ADA)).isEqualTo(new Permit(true));
  }

  @Test
  void takesALateResultOfAnEarlierCallForNoTrial() {
    Permit early = Objects.requireNonNull(breaker.enter(ADA));
    open();
    pass(PAUSE);
    Permit trial = Objects.requireNonNull(breaker.enter(ADA));

    breaker.leave(ADA, early, Result.ANSWERED);
    assertThat(breaker.isOpen()).isTrue();

    breaker.leave(ADA, trial, Result.ANSWERED);
    assertThat(breaker.isOpen()).isFalse();
  }

  @Test
  void leavesTheNextTrialToAnotherScopeThatWaits() {
    open();
    pass(PAUSE);
    call(Result.FAILED);
    assertThat(breaker.enter("grace")).isNull();
    pass(PAUSE);
    assertThat(breaker.enter(ADA)).as("grace waits, too").isNull();

    assertThat(breaker.enter("grace")).isEqualTo(new Permit(true));
  }

  @Test
  void tellsHowManyOfTheLatestFailedOfAScope() {
    call(Result.FAILED, Result.ANSWERED, Result.FAILED);
    assertThat(breaker.failuresOf(ADA)).isEqualTo(2);
    assertThat(breaker.failuresOf("grace")).isZero();

    call(Result.ANSWERED, Result.ANSWERED);

    assertThat(breaker.failuresOf(ADA)).as("the oldest is overwritten").isOne();
  }

  private void open() {
    call(Result.FAILED, Result.FAILED, Result.FAILED, Result.FAILED);
    assertThat(breaker.isOpen()).isTrue();
  }

  private void call(Result... results) {
    for (Result result : results) {
      breaker.leave(ADA, Objects.requireNonNull(breaker.enter(ADA)), result);
    }
  }

  private void pass(Duration time) {
    now += time.toNanos();
  }
}
