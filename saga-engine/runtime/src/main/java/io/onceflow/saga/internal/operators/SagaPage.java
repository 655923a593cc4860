package io.onceflow.saga.internal.operators;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import io.onceflow.saga.internal.store.view.SagaSummary;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A page of sagas, in the order that was asked for.
 *
 * @param sagas at most as many as requested
 * @param next cursor of the next page; absent on the last
 */
record SagaPage(List<SagaSummary> sagas, @JsonInclude(Include.NON_NULL) @Nullable UUID next) {

  /** For readers who may not see whose sagas they are. */
  SagaPage withoutPersonalData() {
    return new SagaPage(sagas.stream().map(SagaSummary::withoutPersonalData).toList(), next);
  }

  /**
   * @param found one more than the limit if there are more
   */
  static SagaPage of(List<SagaSummary> found, int limit) {
    boolean more = found.size() > limit;
    List<SagaSummary> page = more ? found.subList(0, limit) : found;
    return new SagaPage(page, more ? page.getLast().id() : null);
  }
}
