package io.onceflow.inbox.internal.call;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.test.internal.TestConfig;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** How scopes share a lane. */
class CallLaneTest {

  private final CallLane<String> lane =
      new CallLane<>(
          TestConfig.inbox(Map.of("call-out.concurrency", 4, "call-out.waiting", 12)).callOut());

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

  private long entered(String scope, int calls) {
    return IntStream.range(0, calls).filter(i -> lane.enter(scope, scope)).count();
  }
}
