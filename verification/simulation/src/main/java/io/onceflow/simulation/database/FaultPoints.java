package io.onceflow.simulation.database;

import java.util.function.Supplier;

/** What may go wrong between two steps of a process. */
public interface FaultPoints {

  /** No step goes wrong. */
  FaultPoints CALM = what -> {};

  /**
   * A process is about to take a step. Takes a moment; the process may hang here, or die, and then
   * this never returns.
   *
   * @param what the step, for the trace
   */
  void step(Supplier<String> what);

  /** Whether a commit fails before it is made. */
  default boolean commitFails() {
    return false;
  }

  /** Whether a commit is made and its caller does not get the confirmation. */
  default boolean commitIsUnknown() {
    return false;
  }
}
