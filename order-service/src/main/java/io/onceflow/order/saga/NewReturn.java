package io.onceflow.order.saga;

import io.onceflow.core.IdempotencyKey;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The wish to give an order back.
 *
 * @param customer who asks; only their own orders can be given back
 * @param rootKey of which the step keys of its saga are made
 * @param traceparent the W3C trace context of the request; null if it had none
 */
public record NewReturn(
    UUID orderId, String customer, IdempotencyKey rootKey, @Nullable String traceparent) {}
