package io.onceflow.inbox.internal.call;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.inbox.TestConfig;
import io.onceflow.inbox.internal.call.CircuitBreaker.Result;
import io.onceflow.inbox.internal.call.VirtualOutside.Fate;
import io.onceflow.inbox.internal.call.VirtualOutside.Manner;
import java.time.Duration;
import java.util.IntSummaryStatistics;
import java.util.Map;
import java.util.Random;
import java.util.function.IntSupplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How many calls of a lane are under way at once, on a virtual clock. */
class ConcurrencyLimitTest {

  private static final int FLOOR = 12;
  private static final int BOUND = 1000;
  private static final Duration TIME = Duration.ofMillis(200);
  private static final Duration A_WHILE = Duration.ofSeconds(15);
  private static final Duration LONG = Duration.ofMinutes(1);
  private static final String[] CUSTOMERS =
      IntStream.range(0, 16).mapToObj(i -> "customer-" + i).toArray(String[]::new);
  private static final Manner ALWAYS_THE_SAME = (scope, calls) -> Fate.answer(TIME);

  private final CallLane<String> lane = lane(FLOOR);

  private static CallLane<String> lane(int floor) {
    return new CallLane<>(
        TestConfig.inbox(
                Map.of(
                    "call-out.concurrency", BOUND,
                    "call-out.concurrency-min", floor,
                    "call-out.waiting", 1024))
            .callOut(),
        new CallMemory(),
        CallLaneTest.waiting(Duration.ofSeconds(15)));
  }

  @Test
  void growsUntilEightHundredCallsASecondFitIntoFifthsOfASecond() {
    VirtualOutside outside = new VirtualOutside(lane, ALWAYS_THE_SAME);
    outside.send(800, CUSTOMERS);
    outside.runFor(A_WHILE);
    assertThat(outside.answeredIn(A_WHILE)).isBetween(795.0, 805.0);
    assertThat(lane.waiting()).isZero();
  }

  @Test
  void growsForOneScopeThatIsAlone() {
    VirtualOutside outside = new VirtualOutside(lane, ALWAYS_THE_SAME);
    outside.send(800, "ada");
    outside.runFor(A_WHILE);
    assertThat(outside.answeredIn(A_WHILE)).isBetween(795.0, 805.0);
  }

  @Test
  void growsAlthoughNoTwoCallsTakeTheSameTime() {
    Random random = new Random(1);
    VirtualOutside outside =
        new VirtualOutside(
            lane, (scope, calls) -> Fate.answer(times(-Math.log(1 - random.nextDouble()))));
    outside.send(800, CUSTOMERS);
    outside.runFor(LONG);
    assertThat(outside.answeredIn(A_WHILE)).isBetween(780.0, 820.0);
  }

  @Test
  void settlesNearTheKneeOfASystemThatGetsSlowerBeyondSixtyCalls() {
    VirtualOutside outside = new VirtualOutside(lane, knee(60));
    outside.send(2_000, CUSTOMERS);
    assertThat(watch(outside, lane::limit, A_WHILE).getMax()).isLessThanOrEqualTo(120);
    assertThat(outside.answeredIn(LONG)).as("what it can do").isBetween(290.0, 305.0);
    IntSummaryStatistics limits = watch(outside, lane::limit, LONG);
    assertThat(limits.getMin()).isGreaterThanOrEqualTo(60);
    assertThat(limits.getMax()).isLessThanOrEqualTo(120);
  }

  @Test
  void followsAKneeThatMoves() {
    VirtualOutside outside = new VirtualOutside(lane, knee(60));
    outside.send(2_000, CUSTOMERS);
    outside.runFor(A_WHILE);
    outside.become(knee(30));
    outside.runFor(A_WHILE);
    assertThat(watch(outside, lane::limit, LONG).getMax()).isLessThanOrEqualTo(60);
    outside.become(knee(100));
    outside.runFor(A_WHILE);
    assertThat(watch(outside, lane::limit, LONG).getMin()).isGreaterThanOrEqualTo(100);
  }

  @Test
  void growsAgainAfterTheOtherSystemHasBecomeSlowerForGood() {
    VirtualOutside outside = new VirtualOutside(lane, ALWAYS_THE_SAME);
    outside.send(400, CUSTOMERS);
    outside.runFor(A_WHILE);
    outside.become((scope, calls) -> Fate.answer(TIME.multipliedBy(8)));
    outside.runFor(LONG.multipliedBy(2));
    assertThat(outside.answeredIn(A_WHILE)).isBetween(395.0, 405.0);
  }

  /** What was measured in a quiet hour holds no busy one down. */
  @ParameterizedTest
  @CsvSource({"12, 1.5", "12, 1.7", "12, 2.0", "3, 3", "4, 3"})
  void growsAlthoughTheOtherSystemBecameSlowerBeforeCallsWaited(int floor, double factor) {
    CallLane<String> quiet = lane(floor);
    VirtualOutside outside = new VirtualOutside(quiet, ALWAYS_THE_SAME);
    outside.send(3, CUSTOMERS);
    outside.runFor(LONG);
    outside.become((scope, calls) -> Fate.answer(times(factor)));
    outside.send(400, CUSTOMERS);
    outside.runFor(LONG);
    assertThat(outside.answeredIn(A_WHILE)).isBetween(398.0, 408.0);
  }

  @Test
  void doesNotGrowWhileNoCallWaits() {
    VirtualOutside outside = new VirtualOutside(lane, ALWAYS_THE_SAME);
    outside.send(48, CUSTOMERS);
    outside.runFor(LONG);
    assertThat(lane.limit()).isEqualTo(FLOOR);
  }

  @Test
  void doesNotGrowForCallsThatHang() {
    VirtualOutside outside =
        new VirtualOutside(
            lane, (scope, calls) -> scope.equals("down") ? Fate.timeout() : Fate.answer(TIME));
    outside.send(100, CUSTOMERS);
    outside.send(1_000, "down");
    IntSummaryStatistics hanging = watch(outside, () -> outside.underWay("down"), LONG);
    assertThat(hanging.getMax()).as("before they are known to hang").isLessThan(150);
    assertThat(outside.underWay("down")).as("after that").isLessThanOrEqualTo(60);
    assertThat(outside.answeredIn(A_WHILE)).as("those of others").isBetween(99.0, 101.0);
  }

  @Test
  void takesNoNoticeOfCallsThatSayNothingAboutTheOtherSystem() {
    Fate nothing = new Fate(Duration.ZERO, Result.UNKNOWN);
    VirtualOutside outside =
        new VirtualOutside(
            lane, (scope, calls) -> scope.equals("odd") ? nothing : Fate.answer(TIME));
    outside.send(800, CUSTOMERS);
    outside.send(800, "odd");
    outside.runFor(A_WHILE);
    assertThat(outside.answeredIn(A_WHILE)).isBetween(795.0, 805.0);
  }

  @Test
  void isWithinItsBoundsAlways() {
    VirtualOutside outside = new VirtualOutside(lane, ALWAYS_THE_SAME);
    outside.send(6_000, CUSTOMERS);
    assertThat(watch(outside, lane::limit, LONG).getMax()).isEqualTo(BOUND);
    outside.become((scope, calls) -> Fate.timeout());
    assertThat(watch(outside, lane::limit, LONG).getMin()).isEqualTo(FLOOR);
    assertThat(lane.limit()).as("while no call is answered").isEqualTo(FLOOR);
    outside.become(ALWAYS_THE_SAME);
    outside.runFor(A_WHILE);
    assertThat(lane.limit()).as("when all are answered again").isEqualTo(BOUND);
  }

  @Test
  void leavesAHalfToOtherScopesHoweverLargeItIs() {
    VirtualOutside outside = new VirtualOutside(lane, ALWAYS_THE_SAME);
    outside.send(6_000, "ada");
    IntSummaryStatistics beyond =
        watch(outside, () -> outside.underWay("ada") - (lane.limit() + 1) / 2, A_WHILE);
    assertThat(lane.limit()).isEqualTo(BOUND);
    assertThat(beyond.getMax()).as("what ada has beyond a half").isZero();
    assertThat(lane.enter("grace", "grace")).isTrue();
    assertThat(lane.next()).as("there is a turn for her at once").isEqualTo("grace");
  }

  private static IntSummaryStatistics watch(
      VirtualOutside outside, IntSupplier what, Duration length) {
    IntSummaryStatistics seen = new IntSummaryStatistics();
    outside.watch(() -> seen.accept(what.getAsInt()));
    outside.runFor(length);
    return seen;
  }

  /** So many calls at once it answers at its usual speed; beyond that each delays the others. */
  private static Manner knee(int calls) {
    return (scope, underWay) -> Fate.answer(times(Math.max(1.0, (double) underWay / calls)));
  }

  private static Duration times(double factor) {
    return Duration.ofNanos((long) (TIME.toNanos() * factor));
  }
}
