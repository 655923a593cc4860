package io.onceflow.systemtests.chaos.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.systemtests.OneStackIsEnough;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

@OneStackIsEnough
class PlanTest {

  private static final Duration LEASE = Duration.ofSeconds(8);
  private static final Set<Kind> ALL = EnumSet.allOf(Kind.class);

  @Test
  void theSameSeedIsTheSamePlan() {
    assertThat(plan(7, ALL)).isEqualTo(plan(7, ALL));
    assertThat(plan(7, ALL)).isNotEqualTo(plan(8, ALL));
  }

  @Test
  void aMinuteAndAHalfSeesEveryKind() {
    for (long seed = 0; seed < 100; seed++) {
      assertThat(plan(seed, ALL)).extracting(Fault::kind).containsAll(ALL);
    }
  }

  @Test
  void onlyWhatIsAskedForGoesWrong() {
    assertThat(plan(7, EnumSet.of(Kind.KILL, Kind.CUT)))
        .extracting(Fault::kind)
        .containsOnly(Kind.KILL, Kind.CUT);
  }

  @Test
  void faultsBeginInTheirOrderBeforeTheEnd() {
    assertThat(plan(7, ALL))
        .extracting(Fault::at)
        .isSorted()
        .allMatch(at -> at.compareTo(Duration.ofSeconds(90)) < 0);
  }

  @Test
  void whoIsFrozenIsFrozenForLongerThanTheLease() {
    assertThat(plan(7, EnumSet.of(Kind.FREEZE)))
        .extracting(Fault::lasting)
        .allMatch(lasting -> lasting.compareTo(LEASE) > 0);
  }

  @Test
  void everyIsolatedKindHasATimeOfItsOwn() {
    List<Fault> plan = Plan.oneAtATime(7, ALL, Duration.ofSeconds(5));

    assertThat(plan)
        .extracting(Fault::kind)
        .containsOnlyOnceElementsOf(
            EnumSet.complementOf(EnumSet.of(Kind.SILENCE)).stream()
                .filter(Kind::isIsolated)
                .toList());
    assertThat(plan)
        .filteredOn(it -> it.kind() == Kind.SILENCE)
        .extracting(Fault::atBroker)
        .containsExactly(false, true);
    assertThat(plan).allMatch(it -> it.kind().isIsolated());
  }

  private static List<Fault> plan(long seed, Set<Kind> kinds) {
    return Plan.of(seed, Duration.ofSeconds(90), kinds, LEASE);
  }
}
