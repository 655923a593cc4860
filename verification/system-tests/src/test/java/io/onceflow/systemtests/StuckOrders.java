package io.onceflow.systemtests;

import static org.awaitility.Awaitility.await;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;

/**
 * Many orders after an outage: paid, refused by the carrier, and their refunds lost on the way, so
 * that their sagas are stuck. The participants are up again.
 */
final class StuckOrders {

  private static final int THREADS = 16;

  private static final Map<String, String> IMPATIENT =
      Map.of(
          "ONCEFLOW_SAGA_STUCK_AFTER", "1",
          "ONCEFLOW_SAGA_STUCK_WAIT", "PT1H");

  private static final String FOR_PAYMENTS = "payment-service.commands";

  private static final String TO_BE_SHIPPED =
      """
      SELECT count(*)
      FROM   saga_instance saga
      JOIN   saga_step step ON step.saga_id = saga.id
      WHERE  saga.scope = ?
      AND    step.name = 'arrange-shipment'
      AND    step.sent_at IS NOT NULL
      """;

  private static final String STUCK =
      """
      SELECT count(*)
      FROM   saga_instance
      WHERE  scope = ?
      AND    status = 'STUCK'
      """;

  private final ConsoleStack console;
  private final Stack stack;
  private final Customer customer;

  /** Makes so many; the order service is impatient from then on. */
  StuckOrders(ConsoleStack console, int count) {
    this.console = console;
    this.stack = console.stack();
    this.customer = stack.newCustomer();
    restartOrders();
    stack.shipping().kill();
    Callable<Order> order = () -> customer.places(OrderForm.GOOD.shippedToCountry("AQ"));
    Together.inThreads(THREADS, Collections.nCopies(count, order));
    await("all are paid and to be shipped")
        .atMost(Order.ENDS_WITHIN)
        .until(() -> count(TO_BE_SHIPPED) == count);
    stack.payments().kill();
    stack.shipping().start();
    await("all are stuck").atMost(Order.ENDS_WITHIN).until(() -> count(STUCK) == count);
    loseRefunds();
    stack.heal();
  }

  Customer customer() {
    return customer;
  }

  /** Restarts the order service, which is as impatient as before. */
  void restartOrders() {
    console.restartOrders(IMPATIENT);
  }

  private long count(String query) {
    return stack.ordersDatabase().count(query, customer.name());
  }

  private void loseRefunds() {
    try (Broker broker = stack.broker()) {
      broker.purge(FOR_PAYMENTS);
    }
  }

  /** Has the database refuse every change of one of the sagas, as a bug in the service would. */
  String spoilOne() {
    List<String> ids =
        stack
            .ordersDatabase()
            .texts("SELECT id FROM saga_instance WHERE scope = ? LIMIT 1", customer.name());
    inOrdersDatabase(
        """
        CREATE OR REPLACE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
          $$ BEGIN RAISE EXCEPTION 'spoilt'; END $$;
        CREATE TRIGGER spoilt BEFORE UPDATE ON saga_instance
          FOR EACH ROW WHEN (old.id = '%s') EXECUTE FUNCTION refuse();
        """
            .formatted(ids.getFirst()));
    return ids.getFirst();
  }

  /** Undoes {@link #spoilOne}. */
  void unspoil() {
    inOrdersDatabase("DROP TRIGGER IF EXISTS spoilt ON saga_instance");
  }

  private void inOrdersDatabase(String sql) {
    try (Connection connection = stack.ordersDatabase().connect();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException e) {
      throw new IllegalStateException(sql, e);
    }
  }
}
