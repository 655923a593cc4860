package io.onceflow.systemtests.chaos.run;

import io.onceflow.systemtests.chaos.stack.Pause;
import java.time.Duration;

/** Pauses of those who give up what they are at when they are interrupted. */
final class Pauses {

  private Pauses() {}

  static void of(long millis) {
    try {
      Pause.of(Duration.ofMillis(millis));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted", e);
    }
  }
}
