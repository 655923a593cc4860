package io.onceflow.saga.internal.store.view;

import io.onceflow.saga.Saga.SagaStatus;
import java.time.Duration;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Which sagas a list contains; a saga must match all parts.
 *
 * @param status null for any
 * @param definition the definition's name; null for any
 * @param olderThan started at least this long ago by the database's clock; null for any
 * @param quarantined whether in quarantine; null for any
 * @param after the last id of the page before; null for the first page
 * @param limit how many at most
 */
public record SagaFilter(
    @Nullable SagaStatus status,
    @Nullable String definition,
    @Nullable Duration olderThan,
    @Nullable Boolean quarantined,
    @Nullable UUID after,
    int limit) {}
