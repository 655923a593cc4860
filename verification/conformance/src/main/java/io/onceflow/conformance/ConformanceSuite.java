package io.onceflow.conformance;

import io.onceflow.conformance.ScenarioResult.Verdict;
import io.onceflow.conformance.SuiteStep.Act;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Stream;

/** Runs the scenarios on a product: most of them at once, then those that kill its worker. */
public final class ConformanceSuite {

  private final SagaProduct product;
  private final EffectLedger ledger;
  private final Duration timeout;
  private final String run = Long.toString(System.currentTimeMillis(), Character.MAX_RADIX);

  /**
   * @param ledger what the product's participants call
   * @param timeout how long is waited for what a product has to do by itself, such as to take a
   *     dead worker's sagas over
   */
  public ConformanceSuite(SagaProduct product, EffectLedger ledger, Duration timeout) {
    this.product = product;
    this.ledger = ledger;
    this.timeout = timeout;
  }

  /** A scenario's result, and the effects at that time. */
  private record Ended(Trial trial, ScenarioResult result, int effects) {}

  /** Runs all scenarios; the worker is up already. */
  public List<ScenarioResult> run() throws InterruptedException {
    return run(Scenarios.all());
  }

  /** Runs these scenarios; the worker is up already. */
  public List<ScenarioResult> run(List<SagaScenario> scenarios) throws InterruptedException {
    List<Ended> ended = new ArrayList<>();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Callable<Ended>> atOnce = new ArrayList<>();
      scenarios.stream().filter(it -> !it.isAlone()).forEach(it -> atOnce.add(() -> run(it)));
      threads.invokeAll(atOnce).forEach(it -> ended.add(it.resultNow()));
    }
    scenarios.stream().filter(SagaScenario::isAlone).forEach(it -> ended.add(run(it)));
    return ended.stream().map(ConformanceSuite::lookAgain).toList();
  }

  private Ended run(SagaScenario scenario) {
    Trial trial = new Trial(product, ledger, scenario.id() + "-" + run, timeout);
    ScenarioResult result = result(scenario, trial);
    ledger.releaseAll(trial.key());
    return new Ended(trial, result, effects(trial));
  }

  private static ScenarioResult result(SagaScenario scenario, Trial trial) {
    try {
      scenario.check().run(trial);
      return new ScenarioResult(scenario, Verdict.PASS, trial.evidence());
    } catch (NotProvided e) {
      return new ScenarioResult(scenario, e.verdict(), String.valueOf(e.getMessage()));
    } catch (RuntimeException e) {
      return new ScenarioResult(
          scenario, Verdict.FAIL, e.getMessage() + " (" + trial.evidence() + ")");
    }
  }

  private static int effects(Trial trial) {
    return Stream.of(SuiteStep.values())
        .mapToInt(it -> trial.effects(it, Act.DO).size() + trial.effects(it, Act.UNDO).size())
        .sum();
  }

  /** A second effect may come after the saga has ended. */
  private static ScenarioResult lookAgain(Ended it) {
    ScenarioResult result = it.result();
    return result.verdict() == Verdict.PASS && effects(it.trial()) != it.effects()
        ? new ScenarioResult(
            result.scenario(),
            Verdict.FAIL,
            "effects after the saga's end (" + it.trial().evidence() + ")")
        : result;
  }
}
