package io.onceflow.inbox.internal.call;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.inbox.TestConfig;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** How scopes share a lane. */
class CallLaneTest {

  private static final Duration TEN_SECONDS = Duration.ofSeconds(10);
  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
  private static final int MEGABYTE = 1 << 20;

  private final CallLane<String> lane = lane(waiting(TEN_SECONDS));
  private long now;

  private static CallLane<String> lane(CallLane.Footprint<String> footprint) {
    return new CallLane<>(
        TestConfig.inbox(Map.of("call-out.concurrency", 4, "call-out.waiting", 12)).callOut(),
        new CallMemory(MEGABYTE),
        footprint);
  }

  /** Calls that take up little memory. */
  static CallLane.Footprint<String> waiting(Duration atMost) {
    return footprint(() -> 0, atMost);
  }

  private static CallLane.Footprint<String> footprint(LongSupplier bytes, Duration atMost) {
    return new CallLane.Footprint<>() {
      @Override
      public long bytes(String call) {
        return bytes.getAsLong();
      }

      @Override
      public long waitsAtMost(String call) {
        return atMost.toNanos();
      }
    };
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

  /** Five seconds of calls: a half of the time for which one may wait. */
  @Test
  void moreMayWaitThatGetTheirTurnSoon() {
    answersInASecond(10);
    assertThat(lane.room()).as("50, and 16 as always").isEqualTo(66);
    answersInASecond(2);
    assertThat(lane.room()).as("20 in all until a lease is nearly over, of which 12").isEqualTo(24);
    answersInASecond(1);
    assertThat(lane.room()).as("10 in all, fewer than always may wait").isEqualTo(16);
    answersInASecond(1_000);
    assertThat(lane.room()).as("eight times as many as may always wait").isEqualTo(100);
  }

  @Test
  void noneButThoseThatAlwaysMayWaitForASystemThatDoesNotAnswer() {
    answersInASecond(10);
    lane.took(now, now + SECOND, CircuitBreaker.Result.FAILED);
    assertThat(lane.room()).isEqualTo(16);
  }

  @Test
  void timeInWhichNothingIsCalledDoesNotMakeASystemSlow() {
    answersInASecond(10);
    now += 60 * SECOND;
    answersInASecond(10);
    assertThat(lane.room()).isEqualTo(66);
  }

  @Test
  void noMoreMayWaitThanUntilTheirLeaseIsNearlyOver() {
    answersInASecond(10);
    CallLane<String> impatient = lane(waiting(Duration.ZERO));
    answersInASecond(impatient, 10);
    assertThat(impatient.room()).isEqualTo(16);
  }

  @Test
  void aScopeAloneGetsHalfOfTheExtraPlacesToo() {
    answersInASecond(10);
    assertThat(entered("ada", 100)).isEqualTo(25 + 8);
    assertThat(lane.admits("grace", 0, 0)).isTrue();
  }

  /** What {@link CallLane} promises to the next scope does not depend on extra places. */
  @Test
  void theNextScopeFindsRoomAfterTheOtherSystemHasBecomeSlow() {
    answersInASecond(10);
    for (String scope : List.of("ada", "grace", "linus")) {
      entered(scope, 100);
    }
    lane.took(now, now + 10 * SECOND, CircuitBreaker.Result.ANSWERED);
    assertThat(lane.room()).as("of the sixteen, after 8, 4 and 2").isEqualTo(2);
    assertThat(entered("edsger", 100)).isEqualTo(1);
    drain();
    assertThat(lane.room()).isEqualTo(16);
  }

  @Test
  void anExtraPlaceIsGivenBackWithTheCall() {
    answersInASecond(10);
    entered("ada", 100);
    drain();
    assertThat(lane.room()).isEqualTo(66);
  }

  /** Seen red: the other places were given back first, and taken again. */
  @Test
  void extraPlacesGoWhenTheOtherSystemBecomesSlowAlthoughCallsKeepComing() {
    answersInASecond(10);
    entered("ada", 100);
    lane.took(now, now + 10 * SECOND, CircuitBreaker.Result.ANSWERED);
    for (int i = 0; i < 50; i++) {
      lane.next();
      lane.leave("ada");
      lane.enter("ada", "ada");
    }
    assertThat(lane.waiting()).isEqualTo(8);
  }

  /** Or as many would be taken over from the database as small ones fit in, and given back. */
  @Test
  void largeCallsGetTheRoomOfLargeOnesWhereSmallOnesWait() {
    long[] bytes = {0};
    CallLane<String> mixed = lane(footprint(() -> bytes[0], TEN_SECONDS));
    answersInASecond(mixed, 1_000);
    IntStream.range(0, 40).forEach(i -> mixed.enter("scope " + i, "call"));
    bytes[0] = MEGABYTE / 4;
    mixed.enter("large", "call");
    assertThat(mixed.room()).as("three of them, and those that always may wait").isEqualTo(3 + 16);
  }

  @Test
  void whatTakesUpMuchMemoryGetsNoExtraPlaces() {
    CallLane<String> large = lane(footprint(() -> MEGABYTE / 4, TEN_SECONDS));
    answersInASecond(large, 1_000);
    assertThat(IntStream.range(0, 100).filter(i -> large.enter("scope " + i, "call")).count())
        .as("three when four would be too many, and those that always may wait")
        .isEqualTo(4 + 16);
    large.close();
    assertThat(large.room()).isZero();
  }

  /** As many as can be promised in one transaction can enter after it. */
  @Test
  void asManyAreAdmittedAtOnceAsEnterOneByOne() {
    answersInASecond(10);
    for (String scope : List.of("ada", "grace", "linus")) {
      int admitted = admittedAtOnce(scope);
      assertThat(entered(scope, 100)).isEqualTo(admitted);
      lane.caughtUp();
    }
  }

  private int admittedAtOnce(String scope) {
    int admitted = 0;
    while (lane.admits(scope, admitted, admitted)) {
      admitted++;
    }
    lane.caughtUp();
    return admitted;
  }

  private void drain() {
    for (String call = lane.next(); call != null; call = lane.next()) {
      lane.leave(call);
    }
  }

  private void answersInASecond(int answers) {
    lane.enter("any", "any");
    lane.next();
    lane.leave("any");
    answersInASecond(lane, answers);
  }

  private void answersInASecond(CallLane<String> its, int answers) {
    for (int i = 0; i < answers; i++) {
      long begun = now;
      now =
          i == answers - 1
              ? now + SECOND - (answers - 1) * (SECOND / answers)
              : now + SECOND / answers;
      its.took(begun, now, CircuitBreaker.Result.ANSWERED);
    }
  }

  private long entered(String scope, int calls) {
    return IntStream.range(0, calls).filter(i -> lane.enter(scope, scope)).count();
  }
}
