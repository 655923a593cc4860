package io.onceflow.idempotency.internal.store;

import java.time.Instant;

/**
 * A stored answer.
 *
 * @param response the answer
 * @param token of the owner that completed it; of two answers under one key the later has the
 *     greater token
 * @param expiresAt by the store's clock
 */
public record CompletedResponse(StoredResponse response, long token, Instant expiresAt) {}
