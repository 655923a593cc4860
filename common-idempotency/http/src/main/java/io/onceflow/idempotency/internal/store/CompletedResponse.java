package io.onceflow.idempotency.internal.store;

import java.time.Instant;

/**
 * An answer with what the store knows about it.
 *
 * @param response the answer
 * @param token of the owner that completed it; of two answers under one key the one with the
 *     greater is the later
 * @param expiresAt by the store's clock
 */
public record CompletedResponse(StoredResponse response, long token, Instant expiresAt) {}
