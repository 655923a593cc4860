package io.onceflow.saga.store;

import io.onceflow.saga.HistoryEntry;
import io.onceflow.saga.SagaState;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What became of a saga since it was loaded, by one event or several.
 *
 * @param before as loaded, with every step of its definition
 * @param after as it is to be stored, with every step of its definition
 * @param history what is to be added
 * @param origin where it came from, for those who look on; null where nobody does
 * @param rendered what is sent for a step for the first time, by the step's name
 */
public record SagaChange(
    SagaState before,
    SagaState after,
    List<HistoryEntry> history,
    @Nullable SagaOrigin origin,
    Map<String, RenderedCommand> rendered) {

  /** One that nobody looks on at. */
  public SagaChange(SagaState before, SagaState after, List<HistoryEntry> history) {
    this(before, after, history, null, Map.of());
  }

  boolean isReal() {
    return after.revision() != before.revision();
  }
}
