package io.onceflow.order.saga;

import io.onceflow.saga.SagaDefinition;
import io.onceflow.saga.SagaLimits;
import java.util.List;

/** Which sagas a world of the simulation has. */
public enum OrderKind {
  /** The order saga. */
  USUAL(PlaceOrderSaga.DEFINITION),
  /** They wait for events and approvals as well. */
  WAITING(WaitingOrders.DEFINITION),
  /** Beside that, few of them run at the same time. */
  LIMITED(WaitingOrders.LIMITED),
  /** They start others. */
  PARENTS(ShippingOrders.DEFINITION);

  private final SagaDefinition<PlaceOrder> definition;

  OrderKind(SagaDefinition<PlaceOrder> definition) {
    this.definition = definition;
  }

  /** That of a seed: the usual one, and the others in turn from -1 on. */
  public static OrderKind of(long seed) {
    return seed >= 0 ? USUAL : values()[1 + (int) ((-seed - 1) % (values().length - 1))];
  }

  /** The seed of this rank among those of this kind. */
  public long seed(long rank) {
    return this == USUAL ? rank : -(rank * (values().length - 1) + ordinal());
  }

  SagaDefinition<PlaceOrder> definition() {
    return definition;
  }

  /** That of orders, and those that its sagas start. */
  public List<SagaDefinition<?>> definitions() {
    return this == PARENTS
        ? List.of(definition, ShippingOrders.Shipping.DEFINITION)
        : List.of(definition);
  }

  /** How many of its sagas run. */
  public SagaLimits<?> limits() {
    return definition.limits();
  }

  /** Whether they wait for events. */
  public boolean waits() {
    return this == WAITING || this == LIMITED;
  }
}
