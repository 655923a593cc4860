package io.onceflow.test.races;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What holds for every message, a command or another: repeats take no second effect, and a process
 * that dies over it is made good by another one.
 *
 * @param <M> what describes a message
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(120)
abstract class DeliveryRaces<M> {

  /** What each step means is said where it is taken: {@link RacedRun#take}. */
  static final String EVERY_MESSAGE =
      """
      all
      duplicatesAtTheSameMomentTakeEffectOnce: \
        at-once it it it it again again again again; settle; done
      duplicatesInOneBatchTakeEffectOnce: \
        batch it it again; settle; done
      anotherPayloadUnderTheSameKeyIsParkedAndTheFirstStands: \
        tell it; tell changed to other; done fingerprint-mismatch
      aCrashBeforeACommitLeavesNothingHalfDone: \
        start; die before-commit N at victim; send it to victim; settle; done
      aCrashAfterACommitLosesNothing: \
        start; die after-commit N at victim; send it to victim; settle; done
      aCrashAfterTheCommitAndBeforeTheAcknowledgementTakesNoSecondEffect: \
        die acknowledging at victim; send it to victim; await death at victim; settle; done
      aCrashAfterTheCommitAndBeforeThePublishLosesNothing: \
        send it; settle unpublished; published nothing; die now; settle; done; published once
      aCrashAfterThePublishAndBeforeTheDeleteTellsTheSameAgain: \
        send it; settle unpublished; die publishing; settle; done; published twice
      """;

  /** Part of the name of a scenario, to run no other. */
  private static final String CHOSEN = System.getProperty("onceflow.race", "");

  /** The service. */
  protected abstract RacedService service();

  /** All scenarios. */
  abstract List<RacedScenario> scenarios();

  /** The messages of a group. */
  abstract Stream<M> raced(String group);

  /** Starts a run of a message of this group. */
  abstract RacedRun run(M described, String group) throws Exception;

  @ParameterizedTest(name = "{1}: {0}")
  @MethodSource("races")
  final void race(RacedScenario scenario, M described) throws Exception {
    boolean died = true;
    int commit = 0;
    while (died) {
      commit++;
      try (RacedRun run = run(described, scenario.group())) {
        run.take(scenario.atCommit(commit), described);
        died = scenario.isOfEachCommit() && run.hasDied();
      }
    }
    assertThat(commit)
        .as("runs, the last of them without a crash")
        .isGreaterThan(scenario.isOfEachCommit() ? 1 : 0);
  }

  final Stream<Arguments> races() {
    return scenarios().stream()
        .filter(scenario -> scenario.name().contains(CHOSEN))
        .flatMap(
            scenario ->
                raced(scenario.group()).map(described -> Arguments.of(scenario, described)));
  }

  /** Runs all scenarios of a name. */
  final void race(String name, M described) throws Exception {
    List<RacedScenario> named = scenarios().stream().filter(it -> it.name().equals(name)).toList();
    if (named.isEmpty()) {
      throw new IllegalArgumentException("no scenario is called " + name);
    }
    for (RacedScenario each : named) {
      race(each, described);
    }
  }
}
