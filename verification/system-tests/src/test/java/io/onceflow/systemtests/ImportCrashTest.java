package io.onceflow.systemtests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.restassured.path.json.JsonPath;
import io.restassured.response.Response;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The order service ends during an import; the process that resumes it places the rest, once. */
@Tag("nightly")
@SystemTest
class ImportCrashTest {

  private static final ImportForm FORM = new ImportForm(60);

  /** The import is stopped before this line; those of the batches before it are placed. */
  private static final int STOPPED_AT = 40;

  private static final Map<String, String> SMALL_BATCHES_SHORT_LEASE =
      Map.of("ONCEFLOW_ORDER_IMPORT_BATCH_SIZE", "4", "ONCEFLOW_IDEMPOTENCY_LEASE", "PT3S");

  /** The sweep goes on with what was abandoned, soon. */
  private static final Map<String, String> SWEEPING =
      with(
          "ONCEFLOW_IDEMPOTENCY_RECOVERY_INTERVAL", "PT1S",
          "ONCEFLOW_IDEMPOTENCY_RECOVERY_GRACE", "PT1S");

  /** The sweep comes too late; only the client is left to go on. */
  private static final Map<String, String> NOT_SWEEPING =
      with(
          "ONCEFLOW_IDEMPOTENCY_RECOVERY_INTERVAL", "PT1H",
          "ONCEFLOW_IDEMPOTENCY_RECOVERY_GRACE", "PT1H");

  private final Stack stack = Stack.get();
  private final Customer customer = stack.newCustomer();
  private final String key = Customer.newKey();

  @BeforeAll
  static void importInSmallBatches() {
    Stack.get().orders().kill();
    startAgain(NOT_SWEEPING);
  }

  @AfterAll
  static void asBefore() {
    Stack.get().orders().kill();
    startAgain(Map.of());
  }

  @Test
  void itGoesOnByItselfAfterAKill() {
    inTheMidstOfAnImport(stack.orders()::kill);
    startAgain(SWEEPING);

    awaitCompleted();

    expectEachPlacedOnce();
  }

  @Test
  void itGoesOnWhenTheClientRepeatsItsRequestAfterAKill() {
    inTheMidstOfAnImport(stack.orders()::kill);
    startAgain(NOT_SWEEPING);

    Response answer = customer.insists(() -> customer.postImport(FORM.json(), key));

    assertThat(answer.<List<String>>path("orders")).hasSize(FORM.lines());
    expectEachPlacedOnce();
  }

  @Test
  void itGoesOnByItselfAfterTheServiceWasStoppedInGoodOrder() {
    inTheMidstOfAnImport(stack.orders()::stop);
    startAgain(SWEEPING);

    awaitCompleted();

    expectEachPlacedOnce();
  }

  private void inTheMidstOfAnImport(Runnable end) {
    try (OpenTransaction lock = stack.ordersDatabase().begin()) {
      assertThat(customer.postImport(FORM.json(), key).statusCode()).isEqualTo(202);
      lock.lockRow(
          """
          SELECT line.position
          FROM   order_import_line line
          JOIN   order_import i ON i.id = line.import_id
          WHERE  i.customer = ?
          AND    line.position = ?
          AND    line.order_id IS NULL
          FOR UPDATE OF line
          """,
          customer.name(),
          STOPPED_AT);
      lock.awaitAnotherHeldUp();
      end.run();
    }
    assertThat(placed()).isEqualTo(STOPPED_AT);
  }

  private static void startAgain(Map<String, String> settings) {
    ServiceProcess orders = Stack.get().orders();
    orders.configure(settings);
    orders.start();
    orders.awaitReady();
  }

  private void awaitCompleted() {
    await("the key has its answer")
        .atMost(Order.ENDS_WITHIN)
        .ignoreExceptions()
        .untilAsserted(() -> assertThat(state().getString("status")).isEqualTo("COMPLETED"));
  }

  private void expectEachPlacedOnce() {
    assertThat(state().getString("status")).isEqualTo("COMPLETED");
    assertThat(state().getInt("response.status")).isEqualTo(201);
    JsonPath done = customer.get(state().getString("response.location")).jsonPath();
    assertThat(done.getString("status")).isEqualTo("COMPLETED");
    assertThat(done.getInt("placed")).isEqualTo(FORM.lines());
    assertThat(placed()).isEqualTo(FORM.lines());
    customer.awaitOrders(FORM.lines(), "CONFIRMED");
    List<String> ids = done.getList("orders");
    for (int position = 0; position < ids.size(); position++) {
      new Order(stack, customer, ids.get(position))
          .expectPaidAndShippedOnce(ImportForm.amount(position));
    }
  }

  private JsonPath state() {
    return customer.get("/idempotency-keys/" + key).jsonPath();
  }

  /** Orders with their sagas; two numbers that must not differ. */
  private long placed() {
    long orders = rows("orders WHERE customer = ?");
    assertThat(rows("saga_instance WHERE scope = ?")).isEqualTo(orders);
    return orders;
  }

  private long rows(String ofCustomer) {
    return stack.ordersDatabase().count("SELECT count(*) FROM " + ofCustomer, customer.name());
  }

  private static Map<String, String> with(
      String name, String value, String otherName, String otherValue) {
    Map<String, String> all = new HashMap<>(SMALL_BATCHES_SHORT_LEASE);
    all.put(name, value);
    all.put(otherName, otherValue);
    return Map.copyOf(all);
  }
}
