package io.onceflow.saga.internal.store;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A saga to start.
 *
 * @param id the saga's own, made by the caller; UUIDv7 keeps the tables' indexes compact
 * @param subject what it is about; its row was written before, in the same transaction
 * @param scope whose root key it is
 * @param rootKey the client's idempotency key
 * @param traceparent the W3C trace context of the request; null if it has none
 */
public record SagaStartRequest<D>(
    UUID id, D subject, String scope, String rootKey, @Nullable String traceparent) {}
