package io.onceflow.systemtests;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.TestWatcher;

/** When a test has failed, tells what became of its orders and what the services said last. */
final class ExplainFailures implements BeforeEachCallback, TestWatcher {

  private static final int SAGAS_SHOWN = 3;

  private static final List<Customer> CUSTOMERS = new CopyOnWriteArrayList<>();

  /** Notes a customer of the test that runs. */
  static void remember(Customer customer) {
    CUSTOMERS.add(customer);
  }

  @Override
  public void beforeEach(ExtensionContext test) {
    CUSTOMERS.clear();
  }

  @Override
  public void testFailed(ExtensionContext test, Throwable cause) {
    System.err.printf("%n=== %s failed: %s%n", test.getDisplayName(), cause.getMessage());
    CUSTOMERS.forEach(ExplainFailures::explain);
    Stack.running().map(Stack::logTails).ifPresent(System.err::println);
  }

  private static void explain(Customer customer) {
    try {
      List<Map<String, Object>> orders = customer.orders();
      List<Map<String, Object>> open =
          orders.stream().filter(order -> "PENDING".equals(order.get("status"))).toList();
      System.err.printf(
          "%s has %d orders, %d of them pending%n", customer.name(), orders.size(), open.size());
      (open.isEmpty() ? orders : open)
          .stream()
              .limit(SAGAS_SHOWN)
              .map(order -> customer.get("/orders/" + order.get("id") + "/saga"))
              .forEach(saga -> System.err.println(saga.asPrettyString()));
    } catch (RuntimeException e) {
      System.err.printf("the orders of %s cannot be read: %s%n", customer.name(), e);
    }
  }
}
