package io.onceflow.order.saga;

import io.onceflow.order.domain.OrderReturn;
import io.onceflow.saga.store.SagaView;

/** A return, and how it is coming about. */
public record ReturnWithSaga(OrderReturn wish, SagaView saga) {}
