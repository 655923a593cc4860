package io.onceflow.order.imports;

import static io.onceflow.launcher.testing.TestTokens.token;
import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.restassured.http.ContentType;
import io.restassured.response.Response;
import io.restassured.specification.RequestSpecification;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Somebody who sends many orders at once, and whose account is their test's own. */
final class ImportingCustomer {

  static final Duration SOON = Duration.ofSeconds(30);

  private final String name = "customer-" + UUID.randomUUID();

  String name() {
    return name;
  }

  /** A body of so many orders; the one at position n is of n + 1 books. */
  static String orders(int count) {
    return IntStream.rangeClosed(1, count)
        .mapToObj(ImportingCustomer::order)
        .collect(Collectors.joining(",", "{\"orders\": [", "]}"));
  }

  static String order(int books) {
    return """
    {"currency": "EUR",
     "items": [{"sku": "BOOK-42", "quantity": %d, "unitAmount": 10}],
     "paymentMethod": "pm_card_visa",
     "shippingAddress": {"name": "Ada Lovelace", "line1": "12 St James's Square",
       "city": "London", "postalCode": "SW1Y 4JH", "country": "GB"}}
    """
        .formatted(books);
  }

  Response sends(String body, String key) {
    return asThemselves()
        .contentType(ContentType.JSON)
        .header("Idempotency-Key", key)
        .body(body)
        .post("/order-imports");
  }

  /** Places one order by itself. */
  Response places(String order) {
    return asThemselves()
        .contentType(ContentType.JSON)
        .header("Idempotency-Key", UUID.randomUUID())
        .body(order)
        .post("/orders");
  }

  Response gets(String path) {
    return asThemselves().get(path);
  }

  /** Sends an import that has to be accepted. */
  void isPromised(String body, String key) {
    sends(body, key).then().statusCode(202);
  }

  /** Their newest import, as the list shows it. */
  OrderImport newest() {
    return gets("/order-imports?limit=1").jsonPath().getObject("imports[0]", OrderImport.class);
  }

  /** Waits until a key has its answer. */
  void awaitAnswer(String key) {
    await("the answer under key " + key)
        .atMost(SOON)
        .untilAsserted(
            () ->
                assertThat(gets("/idempotency-keys/" + key).<String>path("status"))
                    .isEqualTo("COMPLETED"));
  }

  /** What their orders cost, in the order of an import. */
  List<Integer> amounts(OrderImport done) {
    return done.orders().stream()
        .map(id -> gets("/orders/" + id).<Integer>path("totalAmount"))
        .toList();
  }

  private RequestSpecification asThemselves() {
    return given().auth().oauth2(token(name));
  }
}
