package io.onceflow.saga.internal.store.minute;

import io.onceflow.saga.ItemSteps;
import io.onceflow.saga.Saga.SagaStatus;
import io.onceflow.saga.Saga.StepStatus;
import io.onceflow.saga.internal.engine.HistoryEntry;
import io.onceflow.saga.internal.engine.SagaState;
import io.onceflow.saga.internal.engine.StepState;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What the sagas of a definition did within a minute, on this replica. */
public final class MinuteTally {

  private static final Set<StepStatus> UNANSWERED =
      EnumSet.of(StepStatus.PENDING, StepStatus.WAITING, StepStatus.AWAITING);

  final Instant minute;
  final String definition;
  final DurationBuckets durations = new DurationBuckets();
  final SortedMap<String, StepTally> steps = new TreeMap<>();
  long started;
  long completed;
  long compensated;
  long tookMillis;

  public MinuteTally(Instant minute, String definition) {
    this.minute = minute;
    this.definition = definition;
  }

  /** Counts a transition that is committed. */
  public void count(SagaState before, SagaState after, List<HistoryEntry> history) {
    history.forEach(this::count);
    for (int place = 0; place < after.steps().size(); place++) {
      StepState step = after.steps().get(place);
      StepState was = was(before, place, step);
      // Those that the transition did not change are the same object.
      if (was != step && !hasItems(after, place)) {
        count(was == null ? StepStatus.PENDING : was.status(), step);
      }
    }
    Instant endedAt = after.endedAt();
    if (endedAt != null && before.endedAt() == null) {
      ended(after.status(), Duration.between(after.startedAt(), endedAt).toMillis());
    }
  }

  /** At the same place, unless items were fixed meanwhile. */
  private static @Nullable StepState was(SagaState before, int place, StepState step) {
    boolean isThere =
        place < before.steps().size() && before.steps().get(place).name().equals(step.name());
    return isThere ? before.steps().get(place) : before.step(step.name()).orElse(null);
  }

  /** Then they are counted, each, and not the step that they are of. */
  private static boolean hasItems(SagaState saga, int place) {
    String name = saga.steps().get(place).name();
    return place + 1 < saga.steps().size()
        && !saga.steps().get(place + 1).name().equals(name)
        && ItemSteps.stepOf(saga.steps().get(place + 1).name()).equals(name);
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

  private void count(StepStatus was, StepState step) {
    boolean isReached = step.status() != StepStatus.PENDING && step.status() != StepStatus.SKIPPED;
    if (was == StepStatus.PENDING && isReached) {
      step(step.name()).entered++;
    }
    // A success that comes after the step has timed out does not count: it is among those.
    if (UNANSWERED.contains(was) && step.repliedAt() != null) {
      step(step.name()).answered(step);
    }
  }

  private void count(HistoryEntry entry) {
    switch (entry.event()) {
      case SAGA_STARTED -> started++;
      case GIVEN_UP -> step(entry.step()).givenUp++;
      case SENT_AGAIN -> step(entry.step()).sentAgain++;
      case SAGA_STUCK -> {
        for (String step : String.valueOf(entry.detail()).split(", ")) {
          step(step).stuck++;
        }
      }
      default -> {
        // The others are in the metrics.
      }
    }
  }

  private StepTally step(@Nullable String name) {
    return steps.computeIfAbsent(name == null ? "" : ItemSteps.stepOf(name), it -> new StepTally());
  }
}
