package io.onceflow.benchmarks.idempotency;

import io.onceflow.benchmarks.load.Measured;
import io.onceflow.benchmarks.machine.Executions;
import io.onceflow.benchmarks.machine.Observed;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The result of one run.
 *
 * @param measured by the clients
 * @param observed in the database meanwhile
 * @param executions of the handler
 * @param cpu used by the application's processes meanwhile
 */
record Result(
    Scenario scenario, Measured measured, Observed observed, Executions executions, Duration cpu) {

  /** Of the application, for each answer, in milliseconds. */
  double cpuMsPerAnswer() {
    return cpu.toNanos() / 1e6 / Math.max(1, measured.answers().getTotalCount());
  }

  /** What must not be, in words; empty when all was right. */
  List<String> faults() {
    List<String> faults = new ArrayList<>();
    if (executions.count() != measured.keys() || executions.keys() != measured.keys()) {
      faults.add(
          "%s: %d keys were used; the handler ran %d times, under %d keys"
              .formatted(scenario, measured.keys(), executions.count(), executions.keys()));
    }
    if (measured.wrong() > 0) {
      faults.add(
          "%s: %d wrong answers, such as %s"
              .formatted(scenario, measured.wrong(), measured.examples()));
    }
    return faults;
  }
}
