package io.onceflow.conformance;

import io.onceflow.conformance.EffectLedger.Operation;
import io.onceflow.conformance.ScenarioResult.Skipped;
import io.onceflow.conformance.ScenarioResult.Verdict;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Runs the scenarios: first those that can run at the same time, then those that stop a process.
 */
public final class ConformanceSuite {

  /** Longer than it takes on busy cores until the sagas of a killed process are resumed. */
  private static final Duration TIMEOUT = Duration.ofSeconds(60);

  private final SagaAdapter adapter;
  private final EffectLedger ledger;
  private final Duration timeout;

  /**
   * @param timeout how long the suite waits for what a product does by itself
   */
  ConformanceSuite(SagaAdapter adapter, EffectLedger ledger, Duration timeout) {
    this.adapter = adapter;
    this.ledger = ledger;
    this.timeout = timeout;
  }

  /** A scenario's result, and the effects at that time. */
  private record Run(TestedSaga saga, ScenarioResult result, List<Operation> effects) {

    /** A second effect may come after the saga has ended. */
    ScenarioResult finalResult() {
      return result.verdict() == Verdict.PASS && !saga.effects().equals(effects)
          ? failed(result.scenario(), "effects after the end", saga)
          : result;
    }
  }

  /** Runs all scenarios on the adapter that a command starts, and prints the table. */
  public static void main(String... command) throws Exception {
    ProcessBuilder builder = new ProcessBuilder(command).inheritIO();
    System.out.println(ConformanceTable.of(Map.of("result", run(builder))));
  }

  static List<ScenarioResult> run(ProcessBuilder command) throws Exception {
    try (EffectLedger ledger = new EffectLedger();
        SagaAdapter adapter = new ProcessAdapter(command, ledger.url())) {
      return new ConformanceSuite(adapter, ledger, TIMEOUT).run();
    }
  }

  /** Runs all scenarios. */
  List<ScenarioResult> run() throws InterruptedException {
    List<Run> runs = new ArrayList<>();
    try (ExecutorService threads = Executors.newCachedThreadPool()) {
      List<Callable<Run>> atOnce = new ArrayList<>();
      Scenarios.concurrent().forEach(it -> atOnce.add(() -> run(it)));
      threads.invokeAll(atOnce).forEach(it -> runs.add(it.resultNow()));
    }
    CrashScenarios.all().forEach(it -> runs.add(run(it)));
    return runs.stream().map(Run::finalResult).toList();
  }

  private Run run(SagaScenario scenario) {
    TestedSaga saga = new TestedSaga(adapter, ledger, timeout);
    ScenarioResult result = result(scenario, saga);
    return new Run(saga, result, saga.effects());
  }

  private static ScenarioResult result(SagaScenario scenario, TestedSaga saga) {
    try {
      scenario.check().accept(saga);
      return new ScenarioResult(scenario, Verdict.PASS, saga.evidence());
    } catch (Skipped e) {
      return new ScenarioResult(scenario, e.verdict(), String.valueOf(e.getMessage()));
    } catch (RuntimeException | AssertionError e) {
      return failed(scenario, e.getMessage(), saga);
    }
  }

  private static ScenarioResult failed(SagaScenario scenario, String why, TestedSaga saga) {
    return new ScenarioResult(scenario, Verdict.FAIL, why + " (" + saga.evidence() + ")");
  }
}
