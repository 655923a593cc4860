package io.onceflow.order.saga;

import io.onceflow.core.IdempotencyKey;
import io.onceflow.order.domain.Order;
import org.jspecify.annotations.Nullable;

/**
 * An order that is to be placed.
 *
 * @param rootKey of which the step keys of its saga are made
 * @param traceparent the W3C trace context of the request; null if it had none
 */
public record NewOrder(Order order, IdempotencyKey rootKey, @Nullable String traceparent) {}
