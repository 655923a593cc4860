package io.onceflow.saga.internal.store.minute;

import io.onceflow.saga.Saga.StepStatus;
import io.onceflow.saga.internal.engine.StepState;
import java.time.Duration;
import java.time.Instant;

/** The outcomes of a step within a minute, on this replica; items count as their step. */
final class StepTally {

  final DurationBuckets durations = new DurationBuckets();
  long entered;
  long done;
  long refused;
  long givenUp;
  long stuck;
  long sentAgain;

  /** Counts an answer, and how long it took since the command was sent first. */
  void answered(StepState step) {
    if (step.status() == StepStatus.REFUSED) {
      refused++;
    } else {
      done++;
    }
    Instant sent = step.action().sentFirstAt();
    Instant repliedAt = step.repliedAt();
    // Not known of what an earlier release has resent.
    if (sent != null && repliedAt != null) {
      durations.add(Duration.between(sent, repliedAt).toMillis());
    }
  }
}
