package io.onceflow.systemtests.chaos.plan;

import static java.util.stream.Collectors.toCollection;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PlanTest {

  private static final Duration LEASE = Duration.ofSeconds(8);
  private static final Duration LENGTH = Duration.ofMinutes(2);
  private static final Duration ALONE = Duration.ofSeconds(5);
  private static final Set<Kind> ALL = EnumSet.allOf(Kind.class);

  @Test
  void theSameSeedIsTheSamePlan() {
    assertThat(plan(7, ALL)).isEqualTo(plan(7, ALL));
    assertThat(plan(7, ALL)).isNotEqualTo(plan(8, ALL));
  }

  @Test
  void twoMinutesSeeEveryKind() {
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
        .allMatch(at -> at.compareTo(LENGTH) < 0);
  }

  @Test
  void whoIsFrozenIsFrozenForLongerThanTheLease() {
    assertThat(plan(7, EnumSet.of(Kind.FREEZE)))
        .extracting(Fault::lasting)
        .allMatch(lasting -> lasting.compareTo(LEASE) > 0);
  }

  @Test
  void everyKindThatIsSeenAloneHasATimeOfItsOwn() {
    List<Fault> plan = Plan.oneAtATime(7, ALL, ALONE, ALL.size());

    assertThat(plan)
        .extracting(Fault::kind)
        .containsOnlyOnceElementsOf(
            EnumSet.complementOf(EnumSet.of(Kind.SILENCE)).stream()
                .filter(Kind::isSeenAlone)
                .toList());
    assertThat(plan)
        .filteredOn(it -> it.kind() == Kind.SILENCE)
        .extracting(Fault::atBroker)
        .containsExactly(false, true);
    assertThat(plan).allMatch(it -> it.kind().isSeenAlone());
  }

  @Test
  void ofShortRunsThatFollowOneAnotherEachTakesTheNextKinds() {
    Set<Kind> seen = EnumSet.noneOf(Kind.class);
    long runs = ALL.stream().filter(Kind::isSeenAlone).count() / 2;

    for (long seed = 100; seed < 100 + runs; seed++) {
      seen.addAll(kindsAlone(seed, 2));
      assertThat(seen).hasSize((int) (seed - 99) * 2);
    }
  }

  private static Set<Kind> kindsAlone(long seed, int most) {
    return Plan.oneAtATime(seed, ALL, ALONE, most).stream()
        .map(Fault::kind)
        .collect(toCollection(() -> EnumSet.noneOf(Kind.class)));
  }

  private static List<Fault> plan(long seed, Set<Kind> kinds) {
    return Plan.of(seed, LENGTH, kinds, LEASE);
  }
}
