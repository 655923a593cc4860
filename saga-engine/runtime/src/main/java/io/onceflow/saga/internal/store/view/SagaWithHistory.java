package io.onceflow.saga.internal.store.view;

import io.onceflow.saga.SagaView.Quarantine;
import io.onceflow.saga.internal.engine.HistoryEntry;
import io.onceflow.saga.internal.store.StoredSaga;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A saga and its whole history, oldest first; the two agree.
 *
 * @param parent the saga that started it; null where none did
 * @param quarantine null unless it is in quarantine
 */
public record SagaWithHistory(
    StoredSaga saga,
    @Nullable UUID parent,
    List<HistoryEntry> history,
    @Nullable Quarantine quarantine) {

  /** For a sentence that anyone may read: without an operator's words. */
  public SagaWithHistory withoutPersonalData() {
    return new SagaWithHistory(saga.withoutReasonOfHold(), parent, history, quarantine);
  }
}
