package io.onceflow.benchmarks.saga;

import io.onceflow.benchmarks.saga.load.Answers;
import java.time.Duration;

/**
 * The result of a closed loop.
 *
 * @param clients each with one request in flight
 * @param sagas that ended
 * @param compensated of them
 * @param elapsed from the first request until the last of them was confirmed
 * @param answers to the clients
 * @param generatorCpu processor time of the load generator meanwhile
 */
public record ClosedRun(
    int clients,
    long sagas,
    long compensated,
    Duration elapsed,
    Answers answers,
    Duration generatorCpu) {

  private static final double NANOS_IN_MS = 1e6;
  private static final double NANOS_IN_SECOND = 1e9;

  /** Sagas that ended, over the time until the last of them had. */
  public double sagasPerSecond() {
    return sagas * NANOS_IN_SECOND / Math.max(1, elapsed.toNanos());
  }

  double generatorMsPerSaga() {
    return generatorCpu.toNanos() / NANOS_IN_MS / Math.max(1, sagas);
  }

  /** Of the whole machine, in percent. */
  double generatorPercent(int processors) {
    return 100.0 * generatorCpu.toNanos() / Math.max(1, elapsed.toNanos()) / processors;
  }
}
