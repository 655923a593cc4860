package io.onceflow.saga.internal.store;

import java.time.Instant;
import java.util.Set;
import java.util.UUID;

/**
 * Sagas whose timer fell due, locked for the caller's transaction.
 *
 * @param now the database's time, by which they were found; anything where there are none
 */
public record DueSagas(Instant now, Set<UUID> ids) {}
