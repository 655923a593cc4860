package io.onceflow.simulation.kernel;

/** What one task waits for, once. A second wake-up has no effect. */
public final class Waiter {

  private final Kernel kernel;
  private final Task task;
  private boolean woken;

  Waiter(Kernel kernel, Task task) {
    this.kernel = kernel;
    this.task = task;
  }

  /** Lets the task continue; the first to do so decides when. */
  public void wake() {
    if (!woken) {
      woken = true;
      kernel.after(0, task::resume);
    }
  }

  /** Waits until woken; at once if it has been. Called by the task itself. */
  public void await() {
    kernel.park(task);
  }

  public boolean isWoken() {
    return woken;
  }
}
