package io.onceflow.order.imports;

import static io.onceflow.order.imports.ImportingCustomer.order;
import static io.onceflow.order.imports.ImportingCustomer.orders;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.hamcrest.Matchers.blankOrNullString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.nullValue;

import io.onceflow.launcher.testing.ServersResource;
import io.onceflow.rabbitmq.internal.BrokerConnection;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.common.ResourceArg;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
import jakarta.inject.Inject;
import java.io.IOException;
import java.sql.SQLException;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@QuarkusTest
@QuarkusTestResource(
    value = ServersResource.class,
    initArgs = @ResourceArg(name = "database", value = "orders"))
@Timeout(120)
class OrderImportTest {

  /** Two full batches and a bit. */
  private static final int MANY = 230;

  /** A caller's share of 10,000 sagas, and of that the part of work in the background. */
  private static final int SHARE_IN_BACKGROUND = 1_250;

  private final ImportingCustomer customer = new ImportingCustomer();
  private final String key = UUID.randomUUID().toString();

  @Inject DataSource database;
  @Inject BrokerConnection broker;

  private OrderRows rows;
  private DeafPaymentService payments;

  @BeforeEach
  void prepare() throws IOException {
    rows = new OrderRows(database, customer.name());
    payments = new DeafPaymentService(broker);
  }

  @AfterEach
  void tidyUp() throws Exception {
    rows.forgetSagas();
    payments.close();
  }

  @Test
  void isPromisedAtOnceAndFoundUnderItsKeyOnceItIsDone() throws SQLException {
    Response promised = customer.sends(orders(MANY), key);

    promised
        .then()
        .statusCode(202)
        .header("Location", "/idempotency-keys/" + key)
        .body("status", equalTo("IN_PROGRESS"));
    customer.awaitAnswer(key);
    OrderImport done = customer.newest();
    customer
        .gets("/idempotency-keys/" + key)
        .then()
        .body("response.status", equalTo(201))
        .body("response.location", equalTo("/order-imports/" + done.id()))
        .body("response.body.orders", hasSize(MANY));
    assertThat(rows.orders()).isEqualTo(MANY);
    assertThat(rows.sagas()).isEqualTo(MANY);
    assertThat(rows.commandsSent()).isEqualTo(MANY);
  }

  @Test
  void isAnsweredByteForByteWhenItIsRepeated() throws SQLException {
    customer.isPromised(orders(3), key);
    customer.awaitAnswer(key);

    Response first = customer.sends(orders(3), key);
    Response second = customer.sends(orders(3), key);

    first.then().statusCode(201).header("Idempotent-Replayed", "true");
    assertThat(first.header("Location")).isEqualTo("/order-imports/" + first.path("id"));
    assertThat(second.asByteArray()).isEqualTo(first.asByteArray());
    assertThat(customer.gets(first.header("Location")).asByteArray())
        .as("what it was answered with is what it still is")
        .isEqualTo(first.asByteArray());
    assertThat(rows.orders()).isEqualTo(3);
  }

  @Test
  void keepsTheOrdersInTheOrderInWhichTheyWereSent() {
    customer.isPromised(orders(7), key);
    customer.awaitAnswer(key);

    OrderImport done =
        customer.gets("/order-imports/" + customer.newest().id()).as(OrderImport.class);

    assertThat(done.status()).isEqualTo(OrderImport.Status.COMPLETED);
    assertThat(done.total()).isEqualTo(7);
    assertThat(done.placed()).isEqualTo(7);
    assertThat(done.endedAt()).isAfterOrEqualTo(done.createdAt());
    assertThat(customer.amounts(done))
        .isEqualTo(IntStream.rangeClosed(1, 7).mapToObj(books -> books * 10).toList());
  }

  @Test
  void givesEachOrderARootKeyOfItsOwnHoweverLongTheClientsKeyIs() throws SQLException {
    String longest = "k".repeat(255);
    customer.isPromised(orders(3), longest);
    customer.awaitAnswer(longest);

    assertThat(rows.count("(SELECT DISTINCT root_key FROM saga_instance WHERE scope = ?) keys"))
        .isEqualTo(3);
    assertThat(rows.count("saga_instance WHERE scope = ? AND length(root_key) > 41")).isZero();
  }

  @Test
  void keepsNoDraftOnceTheOrderHoldsIt() throws SQLException {
    customer.isPromised(orders(3), key);
    customer.awaitAnswer(key);

    assertThat(
            rows.count(
                """
                order_import_line line
                JOIN order_import i ON i.id = line.import_id
                WHERE i.customer = ?
                AND line.draft IS NOT NULL
                """))
        .isZero();
  }

  @Test
  void refusesAKeyThatWasUsedForOtherOrders() throws SQLException {
    customer.isPromised(orders(2), key);

    customer
        .sends(orders(3), key)
        .then()
        .statusCode(422)
        .body("type", equalTo("/problems/idempotency-key-reused"));
    customer.awaitAnswer(key);
    assertThat(rows.orders()).isEqualTo(2);
  }

  @Test
  void namesTheLineThatIsWrongAndStoresNothing() throws SQLException {
    String body =
        "{\"orders\": [%s, %s, %s]}"
            .formatted(order(1), order(2).replace("EUR", "EUX"), order(3).replace(": 3", ": -3"));

    Response refused = customer.sends(body, key);

    refused.then().statusCode(400).contentType("application/problem+json");
    assertThat(refused.<List<String>>path("violations.field"))
        .containsExactlyInAnyOrder("orders[1].currency", "orders[2].items[0].quantity");
    expectNothing();
  }

  @Test
  void namesTheLineThatCannotBeRead() throws SQLException {
    String body = "{\"orders\": [%s, %s]}".formatted(order(1), order(2).replace(": 2", ": \"2\""));

    customer
        .sends(body, key)
        .then()
        .statusCode(400)
        .body("violations.field", equalTo(List.of("orders[1].items[0].quantity")));
    expectNothing();
  }

  @Test
  void refusesNoOrdersAndTooManyAndLooksAtNoneOfThose() throws SQLException {
    String tooMany =
        "{\"orders\": [%s]}".formatted(String.join(",", Collections.nCopies(1001, "{}")));

    for (String body : List.of("{}", "{\"orders\": []}", tooMany)) {
      customer
          .sends(body, key)
          .then()
          .statusCode(400)
          .body("violations.field", equalTo(List.of("orders")));
    }
    customer
        .sends("{\"orders\": [null]}", key)
        .then()
        .statusCode(400)
        .body("violations.field", hasSize(1));
    expectNothing();
  }

  @Test
  void takesAThousandOrders() throws SQLException {
    customer.isPromised(orders(1000), key);
    customer.awaitAnswer(key);

    // It has used up its customer's share for a while, and the repeat is told so.
    await("the stored answer")
        .atMost(ImportingCustomer.SOON)
        .untilAsserted(
            () ->
                customer
                    .sends(orders(1000), key)
                    .then()
                    .statusCode(201)
                    .body("orders", hasSize(1000)));
    assertThat(rows.orders()).isEqualTo(1000);
  }

  /** None of the orders is ever paid, so all that were placed stay under way. */
  @Test
  void oneCustomersImportsFillNoMoreThanAShareAndOthersAreLetIn() throws SQLException {
    List<Response> answers =
        IntStream.range(0, 12).mapToObj(i -> customer.sends(orders(1000), key + i)).toList();

    List<Response> refused = answers.stream().filter(a -> a.statusCode() == 429).toList();
    assertThat(answers.stream().filter(a -> a.statusCode() == 202)).hasSizeBetween(1, 4);
    assertThat(refused).hasSizeGreaterThanOrEqualTo(8);
    refused
        .getFirst()
        .then()
        .contentType("application/problem+json")
        .body("type", equalTo("/problems/quota-exceeded"))
        .header("RateLimit-Policy", not(blankOrNullString()))
        .header("RateLimit", not(blankOrNullString()))
        .header("Retry-After", not(blankOrNullString()));
    // Each leaves a debt, which is over after a few seconds.
    for (String later : List.of("later", "last")) {
      await()
          .atMost(ofSeconds(30))
          .until(() -> customer.sends(orders(1000), key + later).statusCode() == 202);
    }
    await().atMost(ofSeconds(30)).until(() -> rows.sagas() >= SHARE_IN_BACKGROUND);
    new ImportingCustomer().places(order(1)).then().statusCode(201);
    customer.gets("/order-imports").then().statusCode(200);
    await()
        .during(ofSeconds(2))
        .atMost(ofSeconds(10))
        // The bound is looked at now and then; three imports of 1000 would go beyond this.
        .until(() -> rows.sagas() <= 2 * SHARE_IN_BACKGROUND);
    rows.change(
        "UPDATE order_import SET status = 'ABANDONED', ended_at = now() WHERE customer = ? AND ended_at IS NULL");
  }

  @Test
  void showsOwnImportsNewestFirstPageByPageAndNobodyElsesAtAll() {
    String older = importedUnder(key);
    String newer = importedUnder(UUID.randomUUID().toString());

    Response first = customer.gets("/order-imports?limit=1");
    assertThat(first.<List<String>>path("imports.id")).containsExactly(newer);
    assertThat(first.<List<Object>>path("imports.orders")).containsOnlyNulls();
    customer
        .gets("/order-imports?limit=1&cursor=" + first.path("next"))
        .then()
        .body("imports.id", equalTo(List.of(older)))
        .body("imports[0].idempotencyKey", equalTo(key))
        .body("next", nullValue());

    ImportingCustomer somebodyElse = new ImportingCustomer();
    somebodyElse.gets("/order-imports/" + newer).then().statusCode(404);
    somebodyElse.gets("/order-imports").then().body("imports.id", not(hasItem(newer)));
    somebodyElse.gets("/idempotency-keys/" + key).then().statusCode(404);
  }

  private String importedUnder(String anyKey) {
    customer.isPromised(orders(1), anyKey);
    customer.awaitAnswer(anyKey);
    return customer.newest().id().toString();
  }

  private void expectNothing() throws SQLException {
    assertThat(rows.orders()).isZero();
    assertThat(rows.count("order_import WHERE customer = ?")).isZero();
    assertThat(rows.keys()).as("the key is as new").isZero();
  }
}
