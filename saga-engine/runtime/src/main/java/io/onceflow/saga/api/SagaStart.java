package io.onceflow.saga.api;

import io.onceflow.core.IdempotencyKey;
import org.jspecify.annotations.Nullable;

/**
 * A saga to start.
 *
 * @param subject what it is about
 * @param scope whose key it is: the caller's name
 * @param key the client's idempotency key, of which the step keys of the saga are made
 * @param traceparent the W3C trace context of the request; null if it has none
 */
public record SagaStart<D>(
    D subject, String scope, IdempotencyKey key, @Nullable String traceparent) {}
