package io.onceflow.saga.internal.engine;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One line of a saga's history.
 *
 * @param step the definition's step that it is about, also where its compensation is meant; null
 *     when it is about the saga
 * @param detail more, as {@link HistoryEvent} says per event; null where there is nothing to add
 */
public record HistoryEntry(
    Instant at, HistoryEvent event, @Nullable String step, @Nullable String detail) {}
