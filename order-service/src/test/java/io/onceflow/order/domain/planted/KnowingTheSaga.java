package io.onceflow.order.domain.planted;

import io.onceflow.order.saga.OrderSagas;
import org.jspecify.annotations.Nullable;

/**
 * Breaks two rules of the house on purpose: the domain knows nothing but itself, and packages form
 * no cycle.
 */
public class KnowingTheSaga {

  @Nullable OrderSagas sagas;
}
