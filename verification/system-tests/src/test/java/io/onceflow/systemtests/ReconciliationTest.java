package io.onceflow.systemtests;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The books of all services are compared: what is planted is found, and nothing else. */
@SystemTest
@Tag("nightly")
class ReconciliationTest {

  private static final Stack STACK = Stack.get();

  private final Customer customer = STACK.newCustomer();
  private final Reconciliations payments = new Reconciliations(STACK, STACK.payments());
  private final Reconciliations shipping = new Reconciliations(STACK, STACK.shipping());
  private final Reconciliations orders = new Reconciliations(STACK, STACK.orders());

  @BeforeAll
  static void judgeWhatHasJustHappened() {
    startWith(
        Map.of(
            "ONCEFLOW_RECONCILIATION_SETTLE_AFTER", "PT0S",
            "ONCEFLOW_SERVICES_PAYMENT_SERVICE", STACK.payments().url(),
            "ONCEFLOW_SERVICES_SHIPPING_SERVICE", STACK.shipping().url()));
  }

  @AfterAll
  static void runAsBefore() {
    startWith(Map.of());
  }

  private static void startWith(Map<String, String> settings) {
    STACK.services().forEach(ServiceProcess::stop);
    STACK.services().forEach(it -> it.configure(settings));
    STACK.heal();
  }

  @Test
  void ordersOfAllKindsMakeNoDifference() {
    Map<String, Set<String>> before = compareAll();

    customer.places(OrderForm.GOOD).awaitConfirmed();
    customer.places(OrderForm.GOOD.paidBy("pm_card_chargeDeclined")).awaitCancelled();
    customer.places(OrderForm.GOOD.shippedToCountry("AQ")).awaitCancelled();
    customer.places(OrderForm.GOOD.paidBy("pm_sim_lost_answer")).awaitConfirmed();

    assertThat(compareAll()).isEqualTo(before);
  }

  @Test
  void whatIsPlantedIsFoundAndNothingElse() {
    Order altered = customer.places(OrderForm.GOOD).awaitConfirmed();
    Order lost = customer.places(OrderForm.GOOD).awaitConfirmed();
    Order unpaid = customer.places(OrderForm.GOOD).awaitConfirmed();
    Map<String, Set<String>> before = compareAll();

    String stray = "ch_stray_" + UUID.randomUUID();
    chargeBehindOurBack(stray);
    execute(
        STACK.paymentsDatabase(),
        "UPDATE simulated_gateway.ledger SET amount = amount + 1 WHERE order_id = ?",
        altered.id());
    execute(
        STACK.shippingDatabase(),
        "DELETE FROM simulated_carrier.ledger WHERE order_id = ?",
        lost.id());
    execute(STACK.paymentsDatabase(), "DELETE FROM payment WHERE order_id = ?", unpaid.id());

    assertThat(news(before, compareAll()))
        .containsExactlyInAnyOrder(
            "payments-gateway MISSING_HERE " + stray,
            "payments-gateway MISSING_HERE " + charge(unpaid),
            "payments-gateway AMOUNT " + charge(altered),
            "shipments-carrier MISSING_THERE " + lost.read().getString("shipment.trackingNumber"),
            "orders-payments MISSING_THERE " + unpaid.id());

    mendsTheStrayChargeOnce(stray);
  }

  private void mendsTheStrayChargeOnce(String stray) {
    assertThat(payments.mend("payments-gateway", stray).<String>path("status")).isEqualTo("MENDED");
    assertThat(payments.compare("payments-gateway")).noneMatch(it -> it.contains(stray));
    assertThat(
            STACK
                .paymentsDatabase()
                .count(
                    "SELECT count(*) FROM simulated_gateway.ledger WHERE kind = 'REFUND' AND"
                        + " reference = ?",
                    stray))
        .isEqualTo(1);
  }

  private static String charge(Order order) {
    return order.read().getString("payment.gatewayReference");
  }

  private Map<String, Set<String>> compareAll() {
    Map<String, Set<String>> open = new HashMap<>();
    open.put("payments-gateway", payments.compare("payments-gateway"));
    open.put("shipments-carrier", shipping.compare("shipments-carrier"));
    open.put("orders-payments", orders.compare("orders-payments"));
    open.put("orders-shipments", orders.compare("orders-shipments"));
    return open;
  }

  private static Set<String> news(Map<String, Set<String>> before, Map<String, Set<String>> now) {
    Set<String> news = new TreeSet<>();
    now.forEach(
        (comparison, open) ->
            open.stream()
                .filter(it -> !before.get(comparison).contains(it))
                .forEach(it -> news.add(comparison + " " + it)));
    return news;
  }

  private static void chargeBehindOurBack(String reference) {
    execute(
        STACK.paymentsDatabase(),
        """
        INSERT INTO simulated_gateway.ledger
               (customer, idempotency_key, kind, reference, order_id, amount, currency)
        VALUES ('somebody', gen_random_uuid()::text, 'CHARGE', '%s', ?::uuid, 500, 'EUR')
        """
            .formatted(reference),
        UUID.randomUUID().toString());
  }

  private static void execute(Database database, String sql, String order) {
    try (Connection connection = database.connect();
        PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setObject(1, UUID.fromString(order));
      assertThat(statement.executeUpdate()).as(sql).isPositive();
    } catch (SQLException e) {
      throw new IllegalStateException(sql, e);
    }
  }
}
