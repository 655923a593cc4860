package io.onceflow.benchmarks.saga;

import io.onceflow.benchmarks.machine.BenchBackends;
import java.time.Duration;
import java.util.List;

/**
 * What is to be measured.
 *
 * @param stack where PostgreSQL and the broker run
 * @param warmUp how long it may take at most, and continues at least
 * @param length of each run
 * @param clients of the closed loops
 * @param alone how many sagas run one after the other
 * @param ceiling how long plain SQL is measured with each number of connections
 * @param drained how many messages the relay is given at once
 * @param oldRows how many the tables are filled with before the last run; 0 leaves that run out
 */
public record SagaPlan(
    BenchBackends.Kind stack,
    WarmUp warmUp,
    Duration length,
    List<Integer> clients,
    int alone,
    Duration ceiling,
    int drained,
    long oldRows) {

  /** The clients of the closed loop that the other runs go by. */
  public static final int USUAL_CLIENTS = 32;

  /** Parts of the closed loop's rate at which the open loops run. */
  static final List<Double> OPEN_LOOPS = List.of(0.25, 0.5, 0.75);

  /** Everything, long enough for figures that come out the same again. */
  public static SagaPlan whole(BenchBackends.Kind stack) {
    return new SagaPlan(
        stack,
        new WarmUp(Duration.ofSeconds(90), Duration.ofSeconds(420)),
        Duration.ofSeconds(15),
        List.of(8, USUAL_CLIENTS, 128),
        500,
        Duration.ofSeconds(8),
        100_000,
        10_000_000);
  }

  /** The same with runs of another length, and all that takes time in proportion. */
  public SagaPlan ofLength(Duration otherLength) {
    double factor = (double) otherLength.toNanos() / length.toNanos();
    return new SagaPlan(
        stack,
        new WarmUp(scaled(warmUp.atLeast(), factor), scaled(warmUp.atMost(), factor)),
        otherLength,
        clients,
        (int) Math.max(1, alone * factor),
        scaled(ceiling, factor),
        (int) Math.max(1, drained * factor),
        oldRows);
  }

  /** The same with another number of old rows. */
  public SagaPlan withOldRows(long rows) {
    return new SagaPlan(stack, warmUp, length, clients, alone, ceiling, drained, rows);
  }

  private static Duration scaled(Duration duration, double factor) {
    return Duration.ofMillis((long) (duration.toMillis() * factor));
  }

  /** A first answer, within two minutes. */
  public static SagaPlan quick(BenchBackends.Kind stack) {
    return new SagaPlan(
        stack,
        new WarmUp(Duration.ofSeconds(15), Duration.ofSeconds(20)),
        Duration.ofSeconds(5),
        List.of(8, USUAL_CLIENTS, 128),
        100,
        Duration.ofSeconds(3),
        30_000,
        0);
  }
}
