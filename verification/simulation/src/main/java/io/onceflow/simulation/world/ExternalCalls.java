package io.onceflow.simulation.world;

import io.onceflow.inbox.internal.call.CallNotPermitted;
import io.onceflow.simulation.Coverage;
import io.onceflow.simulation.kernel.Kernel;
import io.onceflow.simulation.kernel.Waiter;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Calls to gateway and carrier. A call takes effect even if its caller has died. */
final class ExternalCalls {

  private final Kernel kernel;
  private final FaultPlan plan;
  private final String name;
  private boolean down;

  ExternalCalls(Kernel kernel, FaultPlan plan, String name) {
    this.kernel = kernel;
    this.plan = plan;
    this.name = name;
  }

  void setDown(boolean down) {
    this.down = down;
    kernel.tell(name, () -> down ? "GOES DOWN" : "is back");
  }

  /** Whether what is asked for is declined this time, and may be done another time. */
  boolean declines() {
    return plan.declines();
  }

  /** Records what the compensation of a step in doubt has found. */
  void settledDoubt(boolean wasDone) {
    kernel.reach(wasDone ? Coverage.DONE_IN_DOUBT : Coverage.NEVER_DONE_IN_DOUBT);
  }

  /**
   * Asks.
   *
   * @param what is done there
   * @throws IllegalStateException when there is no answer
   */
  <T> T ask(String told, Supplier<T> what) {
    if (plan.holdsCallsBack()) {
      throw new CallNotPermitted("the circuit is open");
    }
    Waiter waiter = kernel.waiter();
    Answer<T> answer = new Answer<>();
    kernel.after(plan.way(), () -> answer.take(told, what, waiter));
    waiter.await();
    T value = answer.value;
    if (value == null) {
      throw new IllegalStateException(
          "the %s gave no answer to: %s (%s)".formatted(name, told, answer.why));
    }
    return value;
  }

  private final class Answer<T> {

    private @Nullable T value;
    private String why = "unavailable";

    private void take(String told, Supplier<T> what, Waiter waiter) {
      if (down) {
        kernel.tell(name, () -> "is down and hears nothing of: " + told);
        return; // the caller will run into its deadline
      }
      if (plan.isUnavailable()) {
        kernel.tell(name, () -> "refuses to " + told);
      } else {
        T done = what.get();
        kernel.tell(name, () -> told + ": " + done);
        if (plan.losesAnswer()) {
          why = "its answer was lost";
          kernel.tell(name, () -> "LOSES its answer");
        } else {
          value = done;
        }
      }
      kernel.after(plan.way(), waiter::wake);
    }
  }
}
