package io.onceflow.saga.internal.store;

import java.time.Instant;
import java.util.List;

/**
 * Sagas whose timer fell due, locked for the caller's transaction.
 *
 * @param now the database's time, by which they were found
 */
public record DueSagas(Instant now, List<StoredSaga> sagas) {}
