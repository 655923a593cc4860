package io.onceflow.saga.store;

import io.onceflow.saga.HistoryEntry;
import java.util.List;

/** A saga and its whole history, oldest first; the two agree. */
public record RecordedSaga(StoredSaga saga, List<HistoryEntry> history) {}
