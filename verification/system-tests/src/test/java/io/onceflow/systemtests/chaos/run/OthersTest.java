package io.onceflow.systemtests.chaos.run;

import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.systemtests.chaos.world.Limits;
import io.onceflow.systemtests.chaos.world.World;
import io.onceflow.systemtests.chaos.world.World.Served;
import io.onceflow.systemtests.chaos.world.World.TimeTaken;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What a run says of callers who were not to notice anything. */
class OthersTest {

  private static final Limits LIMITS =
      Limits.of(ofSeconds(3), ofMillis(200), ofSeconds(2), ofSeconds(5), ofSeconds(1));

  private static final Served USUAL =
      new Served("nothing", 200, hundred(20, 200), true, hundred(300, 2_000));

  private final Others others =
      others(
          USUAL,
          new Served("HANGING_CALLS", 100, hundred(30, 500), true, hundred(400, 3_000)),
          new Served("FLOOD", 100, hundred(100, 900), false, TimeTaken.NEVER));

  private static Others others(@Nullable Served usual, Served... served) {
    return new Others(
        usual,
        List.of(served),
        List.of(new World.Interrupted("READ_ONLY", 80, ofMillis(25), null)),
        LIMITS);
  }

  /** Of a hundred, of which two took longer than the others. */
  private static TimeTaken hundred(int most, int longest) {
    List<Duration> all =
        Stream.concat(
                Collections.nCopies(98, ofMillis(most)).stream(),
                Collections.nCopies(2, ofMillis(longest)).stream())
            .toList();
    return TimeTaken.of(all, 100);
  }

  @Test
  void areComparedWithTheUndisturbedPhase() {
    Map<String, Object> hanging = others.figures().get(1);

    assertThat(hanging)
        .containsEntry("during", "HANGING_CALLS")
        .containsEntry("orders", 100)
        .containsEntry("postP50Ms", 30L)
        .containsEntry("postP99Ms", 500L)
        .containsEntry("postP99TimesUsual", 2.5)
        .containsEntry("postAtMostMs", 1_000L)
        .containsEntry("confirmedP50Ms", 400L)
        .containsEntry("confirmedP99Ms", 3_000L)
        .containsEntry("confirmedP99TimesUsual", 1.5)
        .containsEntry("confirmedAtMostMs", 7_000L);
  }

  @Test
  void haveNoBoundWhereTheirOrdersMayWait() {
    assertThat(others.figures().get(2))
        .containsEntry("confirmedP99Ms", null)
        .doesNotContainKey("confirmedAtMostMs");
  }

  @Test
  void areShownALineEach() {
    assertThat(others.lines())
        .anyMatch(
            line -> line.matches("nothing +200 orders +0.2 s \\(0.02 s\\), 1.0 times +2.0 s.*"))
        .anyMatch(
            line -> line.matches("HANGING_CALLS +100 orders +0.5 s \\(0.03 s\\), 2.5 times.*"))
        .anyMatch(line -> line.matches("FLOOD .* never \\(never\\)"))
        .anyMatch(line -> line.matches("READ_ONLY +answered in 0.025 s, placed again in never"));
  }

  @Test
  void areNotToldOfWhereNoFaultWasSeenAlone() {
    assertThat(others(null).lines()).isEmpty();
    assertThat(others(null).figures()).isEmpty();
  }
}
