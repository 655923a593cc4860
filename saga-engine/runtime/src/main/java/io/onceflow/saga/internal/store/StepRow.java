package io.onceflow.saga.internal.store;

import io.onceflow.saga.internal.engine.SagaState;
import io.onceflow.saga.internal.engine.StepState;
import io.onceflow.saga.internal.engine.StepStatus;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A step with its place in the saga.
 *
 * @param rendered what was last sent for it; null where nothing is known of that
 */
record StepRow(UUID saga, int position, StepState step, @Nullable RenderedCommand rendered) {

  /** The steps that a saga has reached; the others have no row. */
  static Stream<StepRow> reached(SagaState state, Map<String, RenderedCommand> rendered) {
    return IntStream.range(0, state.steps().size())
        .mapToObj(i -> row(state, i, rendered))
        .filter(row -> row.step().status() != StepStatus.PENDING);
  }

  private static StepRow row(SagaState state, int i, Map<String, RenderedCommand> rendered) {
    StepState step = state.steps().get(i);
    boolean isNeverSentAgain = step.status() == StepStatus.SUCCEEDED;
    return new StepRow(state.id(), i, step, isNeverSentAgain ? null : rendered.get(step.name()));
  }

  /** Reads a part of what was last sent; null where nothing is known of that. */
  static Function<StepRow, @Nullable String> rendered(Function<RenderedCommand, String> part) {
    return row -> row.rendered() == null ? null : part.apply(row.rendered());
  }

  /** The steps that are no longer as they were. */
  static Stream<StepRow> changed(SagaChange change) {
    return reached(change.after(), change.rendered())
        .filter(row -> !change.before().steps().contains(row.step()));
  }
}
