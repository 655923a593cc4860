package io.onceflow.inbox.internal.call;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.test.internal.TestConfig;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** How scopes share a lane. */
class CallLaneTest {

  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

  private final CallLane<String> lane = lane(0);
  private long now;

  private static CallLane<String> lane(int size) {
    return new CallLane<>(
        TestConfig.inbox(Map.of("call-out.concurrency", 4, "call-out.waiting", 12)).callOut(),
        call -> size);
  }

  @Test
  void aScopeAloneGetsHalfOfTheTurnsAndHalfOfThePlaces() {
    assertThat(entered("ada", 20)).isEqualTo(8);
    assertThat(lane.next()).isNotNull();
    assertThat(lane.next()).isNotNull();
    assertThat(lane.next()).as("two turns are left for others").isNull();
    assertThat(lane.enter("grace", "grace")).isTrue();
    assertThat(lane.next()).isEqualTo("grace");
  }

  @Test
  void scopesTakeTurns() {
    entered("ada", 5);
    entered("grace", 1);
    entered("linus", 1);
    assertThat(lane.next()).isEqualTo("ada");
    lane.leave("ada");
    assertThat(lane.next()).isEqualTo("grace");
    lane.leave("grace");
    assertThat(lane.next()).isEqualTo("linus");
    lane.leave("linus");
    assertThat(lane.next()).isEqualTo("ada");
  }

  @Test
  void aPlaceIsGivenBackWithItsTurn() {
    for (int i = 0; i < 100; i++) {
      assertThat(lane.enter("ada", "ada")).isTrue();
      assertThat(lane.next()).isEqualTo("ada");
      lane.leave("ada");
    }
    assertThat(lane.room()).isEqualTo(16);
  }

  @Test
  void aScopeThatWaitsInTheDatabaseIsNotOvertakenByItsOwnLaterCommands() {
    entered("ada", 20);
    lane.next();
    lane.leave("ada");
    assertThat(lane.admits("ada", 0, 0)).isFalse();
    assertThat(lane.admits("grace", 0, 0)).as("grace has nothing here").isTrue();
    lane.caughtUp();
    assertThat(lane.admits("ada", 0, 0)).isTrue();
  }

  @Test
  void aLaneThatIsClosedAdmitsNothing() {
    entered("ada", 3);
    lane.next();
    assertThat(lane.close()).hasSize(2);
    assertThat(lane.enter("grace", "grace")).isFalse();
    assertThat(lane.room()).isZero();
    assertThat(lane.next()).isNull();
  }

  @Test
  void asManyMayWaitAsWereMadeInTheTimeThatACallMayTake() {
    callsInASecond(lane, 10);
    assertThat(lane.room()).as("50 in five seconds, and 4 at once").isEqualTo(54);
    callsInASecond(lane, 1);
    assertThat(lane.room()).as("12 may always wait").isEqualTo(16);
  }

  @Test
  void noMoreThanEightTimesAsManyWaitAsAlwaysMay() {
    callsInASecond(lane, 1_000);
    assertThat(lane.room()).isEqualTo(8 * 12 + 4);
  }

  @Test
  void whatTakesUpMuchMemoryDoesNotLetMoreWait() {
    CallLane<String> ofLargeOnes = lane((int) (Runtime.getRuntime().maxMemory() / 64 / 6 + 1));
    callsInASecond(ofLargeOnes, 1_000);
    assertThat(IntStream.range(0, 100).filter(i -> ofLargeOnes.enter("s" + i, "call")).count())
        .as("six large ones, and what may always wait")
        .isEqualTo(16);
  }

  private void callsInASecond(CallLane<String> made, int calls) {
    long begun = now;
    for (int i = 1; i <= calls; i++) {
      made.took(begun, begun + i * SECOND / calls, CircuitBreaker.Result.ANSWERED);
    }
    now = begun + SECOND;
  }

  private long entered(String scope, int calls) {
    return IntStream.range(0, calls).filter(i -> lane.enter(scope, scope)).count();
  }
}
