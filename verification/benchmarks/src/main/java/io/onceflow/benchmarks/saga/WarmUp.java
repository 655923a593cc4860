package io.onceflow.benchmarks.saga;

import io.onceflow.benchmarks.cost.CostMeter;
import io.onceflow.benchmarks.cost.Snapshot;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Locale;
import java.util.function.Consumer;

/**
 * Load before anything is measured: a just-in-time compiler is done with the hot paths some time
 * after.
 *
 * @param atLeast continues for at least so long
 * @param atMost ends then, even if the rate still rises
 */
public record WarmUp(Duration atLeast, Duration atMost) {

  /**
   * Continues until the services are warm, within its bounds.
   *
   * @param meter counts their processor time
   * @param progress gets a line for each slice
   * @return how long it took
   */
  public Duration of(Runs runs, CostMeter meter, Consumer<String> progress)
      throws IOException, SQLException, InterruptedException {
    long startedAt = System.nanoTime();
    Settling settling = new Settling();
    Snapshot before = meter.readTimes();
    while (true) {
      ClosedRun slice = runs.closedLoop(SagaPlan.USUAL_CLIENTS, Settling.SLICE);
      Snapshot after = meter.readTimes();
      double compilers = after.compilersShareSince(before);
      before = after;
      Duration elapsed = Duration.ofNanos(System.nanoTime() - startedAt);
      progress.accept(
          String.format(
              Locale.ROOT,
              "Warming up: %.0f sagas/s after %d s, compilers %.0f %% of the processor time",
              slice.sagasPerSecond(),
              elapsed.toSeconds(),
              100 * compilers));
      boolean hasSettled = settling.hasSettledAt(slice.sagasPerSecond(), compilers);
      if (elapsed.compareTo(atMost) >= 0 || hasSettled && elapsed.compareTo(atLeast) >= 0) {
        return elapsed;
      }
    }
  }
}
