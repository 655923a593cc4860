package io.onceflow.saga.internal.store.minute;

import io.onceflow.saga.ItemSteps;
import io.onceflow.saga.Saga.SagaStatus;
import io.onceflow.saga.internal.engine.HistoryEntry;
import io.onceflow.saga.internal.engine.SagaState;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What the sagas of a definition did within a minute, on this replica. */
public final class MinuteTally {

  final Instant minute;
  final String definition;
  final DurationBuckets durations = new DurationBuckets();
  final SortedMap<String, Step> steps = new TreeMap<>();
  long started;
  long completed;
  long compensated;
  long tookMillis;

  /** What failed of a step. */
  static final class Step {
    long refused;
    long givenUp;
    long sentAgain;
  }

  public MinuteTally(Instant minute, String definition) {
    this.minute = minute;
    this.definition = definition;
  }

  /** Counts a transition that is committed. */
  public void count(SagaState before, SagaState after, List<HistoryEntry> history) {
    history.forEach(this::count);
    Instant endedAt = after.endedAt();
    if (endedAt != null && before.endedAt() == null) {
      ended(after.status(), Duration.between(after.startedAt(), endedAt).toMillis());
    }
  }

  private void ended(SagaStatus status, long millis) {
    if (status == SagaStatus.COMPLETED) {
      completed++;
    } else {
      compensated++;
    }
    // Negative where the database's clock was set back.
    tookMillis += Math.max(0, millis);
    durations.add(millis);
  }

  private void count(HistoryEntry entry) {
    switch (entry.event()) {
      case SAGA_STARTED -> started++;
      case REFUSED -> step(entry.step()).refused++;
      case GIVEN_UP -> step(entry.step()).givenUp++;
      case SENT_AGAIN -> step(entry.step()).sentAgain++;
      default -> {
        // The others are in the metrics.
      }
    }
  }

  private Step step(@Nullable String name) {
    return steps.computeIfAbsent(name == null ? "" : ItemSteps.stepOf(name), it -> new Step());
  }
}
