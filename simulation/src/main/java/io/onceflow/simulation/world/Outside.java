package io.onceflow.simulation.world;

import io.onceflow.inbox.CallNotMade;
import io.onceflow.simulation.Reached;
import io.onceflow.simulation.kernel.Kernel;
import io.onceflow.simulation.kernel.Waiter;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The way to the outside world and back. What was asked for happens even if the asker is gone. */
final class Outside {

  private final Kernel kernel;
  private final Storm storm;
  private final String name;
  private boolean down;

  Outside(Kernel kernel, Storm storm, String name) {
    this.kernel = kernel;
    this.storm = storm;
    this.name = name;
  }

  void setDown(boolean down) {
    this.down = down;
    kernel.tell(name, () -> down ? "GOES DOWN" : "is back");
  }

  /** Notes what the compensation of a step in doubt has found. */
  void settledDoubt(boolean wasDone) {
    kernel.reach(wasDone ? Reached.DONE_IN_DOUBT : Reached.NEVER_DONE_IN_DOUBT);
  }

  /**
   * Asks.
   *
   * @param what is done there
   * @param unavailable made when there is no answer
   */
  <T> T ask(String told, Supplier<T> what, Function<String, RuntimeException> unavailable) {
    if (storm.holdsCallsBack()) {
      throw new CallNotMade("the circuit is open");
    }
    Waiter waiter = kernel.waiter();
    Answer<T> answer = new Answer<>();
    kernel.after(storm.way(), () -> answer.take(told, what, waiter));
    waiter.await();
    T value = answer.value;
    if (value == null) {
      throw unavailable.apply(answer.why);
    }
    return value;
  }

  private final class Answer<T> {

    private @Nullable T value;
    private String why = "unavailable";

    private void take(String told, Supplier<T> what, Waiter waiter) {
      if (down) {
        kernel.tell(name, () -> "is down and hears nothing of: " + told);
        return; // whoever waits will run into his deadline
      }
      if (storm.isUnavailable()) {
        kernel.tell(name, () -> "refuses to " + told);
      } else {
        T done = what.get();
        kernel.tell(name, () -> told + ": " + done);
        if (storm.losesAnswer()) {
          why = "its answer was lost";
          kernel.tell(name, () -> "LOSES its answer");
        } else {
          value = done;
        }
      }
      kernel.after(storm.way(), waiter::wake);
    }
  }
}
