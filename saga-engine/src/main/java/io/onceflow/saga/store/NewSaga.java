package io.onceflow.saga.store;

import io.onceflow.saga.HistoryEntry;
import io.onceflow.saga.SagaState;
import java.util.List;

/** A saga that was just started and is to be stored, with what is told of its start. */
public record NewSaga(SagaOrigin origin, SagaState state, List<HistoryEntry> history) {}
