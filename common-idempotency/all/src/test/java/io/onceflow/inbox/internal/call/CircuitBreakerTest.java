package io.onceflow.inbox.internal.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onceflow.inbox.internal.call.CircuitBreaker.Permit;
import io.onceflow.inbox.internal.call.CircuitBreaker.Result;
import io.onceflow.test.internal.TestConfig;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;

class CircuitBreakerTest {

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

    assertThat(breaker.enter()).isNotNull();
    assertThat(breaker.isOpen()).isFalse();
  }

  @Test
  void opensWhenThreeQuartersOfTheLatestCallsHaveFailed() {
    call(Result.ANSWERED, Result.ANSWERED, Result.FAILED, Result.FAILED);
    assertThat(breaker.isOpen()).isFalse();

    call(Result.FAILED);

    assertThat(breaker.isOpen()).isTrue();
    assertThat(breaker.enter()).isNull();
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
    assertThat(breaker.enter()).isNull();

    pass(Duration.ofNanos(1));

    assertThat(breaker.enter()).isEqualTo(new Permit(true));
    assertThat(breaker.enter()).as("while the trial is under way").isNull();
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

    assertThat(breaker.enter()).isNull();
    pass(PAUSE);
    assertThat(breaker.enter()).isEqualTo(new Permit(true));
  }

  @Test
  void makesAnotherTrialAtOnceWhenOneSaysNothing() {
    open();
    pass(PAUSE);
    call(Result.UNKNOWN);

    assertThat(breaker.enter()).isEqualTo(new Permit(true));
  }

  @Test
  void givesTheTurnOfATrialBackThatCouldNotBeMade() {
    open();
    pass(PAUSE);

    assertThatThrownBy(() -> breaker.call(CircuitBreakerTest::reject, it -> Result.ANSWERED))
        .isInstanceOf(RejectedExecutionException.class);

    assertThat(breaker.enter()).as("the next call is the trial").isEqualTo(new Permit(true));
  }

  @Test
  void makesNoCallWhileItIsOpen() {
    open();

    assertThat(breaker.call(CircuitBreakerTest::reject, it -> Result.ANSWERED)).isEmpty();
  }

  @Test
  void countsACallByWhatItReturned() {
    for (int i = 0; i < 4; i++) {
      assertThat(breaker.call(() -> "503", it -> Result.FAILED)).contains("503");
    }

    assertThat(breaker.isOpen()).isTrue();
  }

  private static String reject() {
    throw new RejectedExecutionException("the process stops");
  }

  @Test
  void takesALateResultOfAnEarlierCallForNoTrial() {
    Permit early = Objects.requireNonNull(breaker.enter());
    open();
    pass(PAUSE);
    Permit trial = Objects.requireNonNull(breaker.enter());

    breaker.leave(early, Result.ANSWERED);
    assertThat(breaker.isOpen()).isTrue();

    breaker.leave(trial, Result.ANSWERED);
    assertThat(breaker.isOpen()).isFalse();
  }

  private void open() {
    call(Result.FAILED, Result.FAILED, Result.FAILED, Result.FAILED);
    assertThat(breaker.isOpen()).isTrue();
  }

  private void call(Result... results) {
    for (Result result : results) {
      breaker.leave(Objects.requireNonNull(breaker.enter()), result);
    }
  }

  private void pass(Duration time) {
    now += time.toNanos();
  }
}
