package io.onceflow.saga.internal.store;

import io.onceflow.saga.internal.engine.HistoryEntry;
import io.onceflow.saga.internal.engine.SagaState;
import java.util.List;
import java.util.Map;

/**
 * A saga that was just started and is to be stored.
 *
 * @param history what is told of its start
 * @param commands what is sent for its first steps
 * @param attributes what operators find it by
 */
public record NewSaga(
    SagaOrigin origin,
    SagaState state,
    List<HistoryEntry> history,
    SentCommands commands,
    Map<String, String> attributes) {}
