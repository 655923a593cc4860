package io.onceflow.saga.store;

import io.onceflow.saga.HistoryEntry;
import io.onceflow.saga.SagaState;
import java.util.List;

/**
 * What became of a saga since it was loaded, by one event or several.
 *
 * @param before as loaded, with every step of its definition
 * @param after as it is to be stored, with every step of its definition
 * @param history what is to be added
 */
public record SagaChange(SagaState before, SagaState after, List<HistoryEntry> history) {

  boolean isReal() {
    return after.revision() != before.revision();
  }
}
