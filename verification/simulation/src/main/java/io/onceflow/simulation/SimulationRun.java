package io.onceflow.simulation;

import io.onceflow.simulation.kernel.RunTrace;
import io.onceflow.simulation.world.World;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The result of one seed.
 *
 * @param seed which
 * @param violation the first broken invariant; null if all held
 * @param events how many there were
 * @param reached the situations that it reached, see {@link Coverage}
 * @param trace what happened, line by line; empty unless it was asked for
 */
public record SimulationRun(
    long seed,
    @Nullable Violation violation,
    long events,
    Set<String> reached,
    List<String> trace) {

  /** Runs a seed by all rules. */
  public static SimulationRun of(long seed) {
    return of(seed, null, false);
  }

  /**
   * Runs a seed.
   *
   * @param without the rule that is taken out; null for none
   */
  public static SimulationRun of(long seed, @Nullable Rule without, boolean traced) {
    RunTrace trace = new RunTrace(traced);
    World world = new World(seed, without, trace);
    Violation violation = failed(world, trace);
    return new SimulationRun(seed, violation, world.events(), world.reached(), trace.lines());
  }

  private static @Nullable Violation failed(World world, RunTrace trace) {
    try {
      Violation violation = world.run();
      return violation == null
          ? null
          : new Violation(violation.invariant(), trace.withNames(violation.detail()));
    } catch (RuntimeException e) {
      return new Violation("no unexpected exception is thrown", root(e));
    }
  }

  private static String root(Throwable e) {
    Throwable cause = e.getCause();
    StackTraceElement[] stack = e.getStackTrace();
    return cause == null
        ? e + (stack.length == 0 ? "" : " at " + stack[0])
        : e.getMessage() + ": " + root(cause);
  }
}
