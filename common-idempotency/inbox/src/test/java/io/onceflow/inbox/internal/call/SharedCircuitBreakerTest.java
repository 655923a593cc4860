package io.onceflow.inbox.internal.call;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.inbox.TestConfig;
import io.onceflow.inbox.internal.call.CircuitBreaker.Result;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** How scopes share a circuit breaker that looks at forty calls. */
class SharedCircuitBreakerTest {

  private static final Duration PAUSE = Duration.ofSeconds(2);
  private static final int WINDOW = 40;

  private long now;
  private final SharedCircuitBreaker breaker = breaker(true);

  private SharedCircuitBreaker breaker(boolean isShared) {
    return new SharedCircuitBreaker(
        "TakeMoney",
        TestConfig.inbox(
                Map.of("call-out.circuit.pause", PAUSE, "call-out.shared-fairly", isShared))
            .callOut(),
        () -> now);
  }

  @Test
  void oneScopeWhoseCallsFailStopsItsOwnCallsOnly() {
    fail("ada", WINDOW);

    assertThat(isMade("ada")).isFalse();
    assertThat(isMade("grace")).isTrue();
    assertThat(breaker.isOpen()).isTrue();
  }

  /** All that were under way when the other system stopped answering. */
  @Test
  void callsThatWereMadeBeforeAreCountedForTheirScopeAsWell() {
    failAtOnce("ada", 500);

    assertThat(isMade("ada")).isFalse();
    assertThat(isMade("grace")).isTrue();
  }

  @Test
  void aScopeMakesItsOwnTrials() {
    fail("ada", WINDOW);
    now += PAUSE.toNanos();
    fail("ada", 1);
    assertThat(isMade("ada")).as("during the next pause").isFalse();
    now += PAUSE.toNanos();

    assertThat(isMade("ada")).as("the trial").isTrue();
    assertThat(isMade("ada")).as("after its answer").isTrue();
    assertThat(breaker.isOpen()).isFalse();
  }

  @Test
  void aScopeThatHasNoCallsAnyMoreIsNotShown() {
    fail("ada", WINDOW);
    assertThat(isMade("ada")).isFalse();
    assertThat(breaker.isOpen()).isTrue();

    now += Duration.ofMinutes(2).toNanos();

    assertThat(breaker.isOpen()).isFalse();
  }

  @Test
  void failuresOfManyScopesStopTheCallsOfAll() {
    failOfManyScopes();

    assertThat(isMade("somebody else")).isFalse();
  }

  @Test
  void eightScopesWithManyCallsEachStopTheCallsOfAll() {
    for (int i = 0; i < WINDOW; i++) {
      fail("scope " + i % 8, 1);
    }

    assertThat(isMade("somebody else")).isFalse();
  }

  /** Five have five eighths of the window at most. */
  @Test
  void fewScopesStopNoOther() {
    for (int i = 0; i < 100 * WINDOW; i++) {
      fail("scope " + i % 5, 1);
      assertThat(isMade("grace " + i)).isTrue();
    }
  }

  @Test
  void anAnswerToTheTrialOfOneScopeIsOneForAll() {
    failOfManyScopes();
    now += PAUSE.toNanos();

    assertThat(isMade("grace")).isTrue();
    assertThat(isMade("linus")).isTrue();
  }

  @Test
  void aScopeWhoseCallsFailTakesNoTrialsFromTheOthers() {
    fail("ada", WINDOW);
    failOfManyScopes();
    now += PAUSE.toNanos();
    fail("ada", 1);

    assertThat(isMade("grace")).as("the trial of all others").isTrue();
    assertThat(isMade("ada")).isFalse();
  }

  @Test
  void aScopeThatIsAnsweredAgainIsCountedWithTheOthers() {
    fail("ada", WINDOW);
    now += PAUSE.toNanos();
    assertThat(isMade("ada")).isTrue();
    failOfManyScopes();

    assertThat(isMade("ada")).isFalse();
  }

  @Test
  void countsAllForOneWhereTheLaneIsNotShared() {
    SharedCircuitBreaker one = breaker(false);
    IntStream.range(0, WINDOW).forEach(i -> isMade(one, "ada", Result.FAILED));

    assertThat(isMade(one, "grace", Result.ANSWERED)).isFalse();
  }

  @Test
  void givesTheTurnOfATrialBackThatCouldNotBeMade() {
    failOfManyScopes();
    now += PAUSE.toNanos();

    assertThat(isMade(breaker, "ada", Result.UNKNOWN)).isTrue();

    assertThat(isMade("ada")).as("the next call is the trial").isTrue();
  }

  private void failOfManyScopes() {
    IntStream.range(0, WINDOW).forEach(i -> isMade(breaker, "customer " + i, Result.FAILED));
  }

  private void fail(String scope, int calls) {
    for (int i = 0; i < calls; i++) {
      assertThat(isMade(breaker, scope, Result.FAILED)).isTrue();
    }
  }

  /** Each call is made before the one before it has ended. */
  private void failAtOnce(String scope, int calls) {
    List<SharedCircuitBreaker.Entry> made =
        Stream.generate(() -> breaker.enter(scope)).limit(calls).filter(Objects::nonNull).toList();
    made.forEach(entry -> breaker.leave(scope, entry, Result.FAILED));
  }

  private boolean isMade(String scope) {
    return isMade(breaker, scope, Result.ANSWERED);
  }

  private static boolean isMade(SharedCircuitBreaker breaker, String scope, Result result) {
    SharedCircuitBreaker.Entry entry = breaker.enter(scope);
    if (entry != null) {
      breaker.leave(scope, entry, result);
    }
    return entry != null;
  }
}
