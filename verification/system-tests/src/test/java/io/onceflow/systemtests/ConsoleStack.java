package io.onceflow.systemtests;

import java.util.HashMap;
import java.util.Map;

/**
 * The stack with an order service that knows where its participants are, as an operator of the
 * console configures it, and that is less patient than by default.
 */
final class ConsoleStack implements AutoCloseable {

  private final Stack stack = Stack.get();

  /** Restarts the order service with what the console needs to know. */
  ConsoleStack() {
    restartOrders(Map.of());
  }

  Stack stack() {
    return stack;
  }

  /**
   * Restarts the order service.
   *
   * @param more settings beside those of the console
   */
  void restartOrders(Map<String, String> more) {
    Map<String, String> settings = new HashMap<>(more);
    settings.put("ONCEFLOW_SERVICES_PAYMENT_SERVICE", stack.payments().url());
    settings.put("ONCEFLOW_SERVICES_SHIPPING_SERVICE", stack.shipping().url());
    stack.orders().kill();
    stack.orders().configure(settings);
    stack.heal();
  }

  @Override
  public void close() {
    stack.orders().kill();
    stack.orders().configure(Map.of());
    stack.heal();
  }
}
