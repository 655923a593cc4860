package io.onceflow.saga.store;

import io.onceflow.saga.SagaState;
import io.onceflow.saga.StepState;
import io.onceflow.saga.StepStatus;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** A step with its place in the saga. */
record StepRow(UUID saga, int position, StepState step) {

  /** The steps that a saga has reached; the others have no row. */
  static Stream<StepRow> reached(SagaState state) {
    return IntStream.range(0, state.steps().size())
        .mapToObj(i -> new StepRow(state.id(), i, state.steps().get(i)))
        .filter(row -> row.step().status() != StepStatus.PENDING);
  }

  /** The steps that are no longer as they were. */
  static Stream<StepRow> changed(SagaState before, SagaState after) {
    return reached(after).filter(row -> !before.steps().contains(row.step()));
  }
}
