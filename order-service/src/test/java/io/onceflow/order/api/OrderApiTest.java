package io.onceflow.order.api;

import static io.onceflow.quickstart.testing.TestTokens.token;
import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasItems;
import static org.hamcrest.Matchers.nullValue;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.onceflow.core.internal.Fingerprint;
import io.onceflow.quickstart.testing.ServersResource;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.common.ResourceArg;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.http.ContentType;
import io.restassured.response.Response;
import io.restassured.specification.RequestSpecification;
import jakarta.inject.Inject;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

@QuarkusTest
@QuarkusTestResource(
    value = ServersResource.class,
    initArgs = @ResourceArg(name = "database", value = "orders"))
class OrderApiTest {

  private static final String ORDER =
      """
      {"currency": "EUR",
       "items": [{"sku": "BOOK-42", "quantity": 2, "unitAmount": 1250}],
       "paymentMethod": "pm_card_visa",
       "shippingAddress": {"name": "Ada Lovelace", "line1": "12 St James's Square",
         "city": "London", "postalCode": "SW1Y 4JH", "country": "GB"}}
      """;

  private final String customer = "customer-" + UUID.randomUUID();

  @Inject DataSource database;

  @Test
  void placesAnOrderAndItsSagaCanBeReadFromTheFirstStepOn() {
    Response placed = place(ORDER, UUID.randomUUID().toString());

    placed
        .then()
        .statusCode(201)
        .body("status", equalTo("PENDING"))
        .body("totalAmount", equalTo(2500));
    String id = placed.path("id");
    assertThat(placed.header("Location")).isEqualTo("/orders/" + id);
    as(customer).get("/orders/" + id).then().statusCode(200).body("id", equalTo(id));
    as(customer)
        .get("/orders/" + id + "/saga")
        .then()
        .statusCode(200)
        .body("definition", equalTo("place-order"))
        .body("status", equalTo("RUNNING"))
        .body(
            "steps.name", equalTo(List.of("process-payment", "arrange-shipment", "confirm-order")))
        .body("steps[0].status", equalTo("WAITING"))
        .body("history.event", hasItems("saga-started", "command-sent"));
  }

  @Test
  void answersARepeatWithTheFirstAnswer() throws SQLException {
    String key = UUID.randomUUID().toString();
    Response first = place(ORDER, key);
    Response again = place(ORDER, "\"" + key + "\"");

    assertThat(again.statusCode()).isEqualTo(201);
    assertThat(again.asByteArray()).isEqualTo(first.asByteArray());
    assertThat(again.header("Location")).isEqualTo(first.header("Location"));
    assertThat(again.header("Idempotent-Replayed")).isEqualTo("true");
    assertThat(first.header("Idempotent-Replayed")).isNull();
    assertThat(rows("SELECT count(*) FROM orders WHERE customer = ?")).isEqualTo(1);
    assertThat(rows("SELECT count(*) FROM saga_instance WHERE scope = ?")).isEqualTo(1);
  }

  @Test
  void refusesAKeyThatWasUsedForAnotherOrder() throws SQLException {
    String key = UUID.randomUUID().toString();
    place(ORDER, key);

    place(ORDER.replace("1250", "1251"), key)
        .then()
        .statusCode(422)
        .contentType("application/problem+json")
        .body("type", equalTo("/problems/idempotency-key-reused"));
    assertThat(rows("SELECT count(*) FROM orders WHERE customer = ?")).isEqualTo(1);
  }

  @Test
  void beginsASagaWithStepKeysOfItsOwnWhenAKeyIsUsedAgainAfterItExpired() throws SQLException {
    String key = "k".repeat(255);
    place(ORDER, key);
    try (Connection connection = database.getConnection();
        PreparedStatement expire =
            connection.prepareStatement(
                "UPDATE idempotency_record SET expires_at = now() WHERE scope = ?")) {
      expire.setString(1, customer);
      expire.executeUpdate();
    }

    Response again = place(ORDER, key);

    assertThat(again.statusCode()).isEqualTo(201);
    assertThat(again.header("Idempotent-Replayed")).isNull();
    assertThat(rows("SELECT count(DISTINCT root_key) FROM saga_instance WHERE scope = ?"))
        .isEqualTo(2);
    assertThat(rows("SELECT max(length(root_key)) FROM saga_instance WHERE scope = ?"))
        .isEqualTo(255);
  }

  /** An answer of a release that took currencies and quantities which this one does not. */
  @ParameterizedTest
  @ValueSource(strings = {"\"currency\": \"DEM\"", "\"currency\": 276"})
  void repeatsTheAnswerToAnOrderThatWouldBeRefusedToday(String currency) throws SQLException {
    String key = UUID.randomUUID().toString();
    String old = ORDER.replace("\"currency\": \"EUR\"", currency);
    place(old, UUID.randomUUID().toString()).then().statusCode(400);
    Response first = place(ORDER, key);
    answeredYesterday(key, old);

    Response again = place(old, key);

    again.then().statusCode(201).header("Idempotent-Replayed", "true");
    assertThat(again.asByteArray()).isEqualTo(first.asByteArray());
    place(old.replace("1250", "1251"), key)
        .then()
        .statusCode(422)
        .body("type", equalTo("/problems/idempotency-key-reused"));
    assertThat(rows("SELECT count(*) FROM orders WHERE customer = ?")).isEqualTo(1);
  }

  /** Gives the answer under a key the fingerprint of a request with this body. */
  private void answeredYesterday(String key, String body) throws SQLException {
    try (Connection connection = database.getConnection();
        PreparedStatement change =
            connection.prepareStatement(
                "UPDATE idempotency_record SET fingerprint = ? WHERE scope = ? AND key = ?")) {
      change.setBytes(
          1, Fingerprint.of(utf8("POST"), utf8("/orders"), utf8(""), canonical(body)).bytes());
      change.setString(2, customer);
      change.setString(3, key);
      assertThat(change.executeUpdate()).isEqualTo(1);
    }
  }

  /** Of this body RFC 8785 is what Jackson writes with sorted properties. */
  private static byte[] canonical(String body) {
    try {
      ObjectMapper sorted =
          new ObjectMapper().enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS);
      return sorted.writeValueAsBytes(sorted.readValue(body, Object.class));
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(e);
    }
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  static Stream<Arguments> badOrders() {
    return Stream.of(
        Arguments.of("no JSON", "{\"currency\":", null),
        Arguments.of(
            "a negative quantity",
            ORDER.replace("\"quantity\": 2", "\"quantity\": -2"),
            "items[0].quantity"),
        Arguments.of("half a book", ORDER.replace("\"quantity\": 2", "\"quantity\": 1.5"), null),
        Arguments.of(
            "a quantity in quotes",
            ORDER.replace("\"quantity\": 2", "\"quantity\": \"2\""),
            "items[0].quantity"),
        Arguments.of(
            "a quantity beyond counting",
            ORDER.replace("\"quantity\": 2", "\"quantity\": 99999999999"),
            "items[0].quantity"),
        Arguments.of("no quantity", ORDER.replace("\"quantity\": 2, ", ""), "items[0].quantity"),
        Arguments.of("an unknown currency", ORDER.replace("EUR", "EUX"), "currency"),
        Arguments.of(
            "an unknown country", ORDER.replace("\"GB\"", "\"ZZ\""), "shippingAddress.country"),
        Arguments.of(
            "a card number", ORDER.replace("pm_card_visa", "4242424242424242"), "paymentMethod"),
        named("a control character", "A\\u0000da"),
        named("a control character of the second set", "A\\u0085da"),
        named("a line separator", "A\\u2028da"),
        named("a zero-width space", "A\\u200bda"),
        named("letters that run the other way", "\\u202eadA"),
        named("nothing that can be seen", "\\u2060"),
        paidIn("no currency", "XXX"),
        paidIn("a currency for tests", "XTS"),
        paidIn("gold", "XAU"),
        paidIn("a currency of the past", "DEM"),
        paidIn("a unit of account", "CHW"),
        Arguments.of("half a character", ORDER.replace("Ada", "\\ud800"), null),
        Arguments.of("a second document", ORDER + "{}", null),
        Arguments.of("a byte order mark", "\ufeff" + ORDER, null),
        Arguments.of("a list", "[]", ""),
        Arguments.of(
            "a property twice",
            ORDER.replace(
                "{\"currency\": \"EUR\",", "{\"currency\": \"EUR\", \"currency\": \"USD\","),
            null));
  }

  private static Arguments named(String what, String name) {
    return Arguments.of(what, ORDER.replace("Ada Lovelace", name), "shippingAddress.name");
  }

  private static Arguments paidIn(String what, String currency) {
    return Arguments.of(what, ORDER.replace("EUR", currency), "currency");
  }

  @ParameterizedTest(name = "refuses {0}")
  @MethodSource("badOrders")
  void refusesABadOrderAndStoresNothing(String what, String body, String field)
      throws SQLException {
    Response refused = place(body, UUID.randomUUID().toString());

    refused.then().statusCode(400).contentType("application/problem+json");
    assertThat(refused.<String>path("type")).startsWith("/problems/");
    if (field != null) {
      assertThat(refused.<List<String>>path("violations.field")).containsExactly(field);
    }
    assertThat(rows("SELECT count(*) FROM orders WHERE customer = ?")).isZero();
    assertThat(rows("SELECT count(*) FROM idempotency_record WHERE scope = ?")).isZero();
  }

  @Test
  void namesEveryFieldThatIsWrong() {
    place("{\"currency\": \"EUX\", \"items\": []}", UUID.randomUUID().toString())
        .then()
        .statusCode(400)
        .body(
            "violations.field", hasItems("currency", "items", "paymentMethod", "shippingAddress"));
  }

  @Test
  void refusesABodyThatIsTooLarge() {
    place("x".repeat(2_000_000), UUID.randomUUID().toString())
        .then()
        .statusCode(413)
        .contentType("application/problem+json");
  }

  @Test
  void listsOwnOrdersNewestFirstPageByPage() {
    List<String> placed =
        Stream.generate(() -> place(ORDER, UUID.randomUUID().toString()).<String>path("id"))
            .limit(3)
            .toList();

    Response first = as(customer).get("/orders?limit=2");
    assertThat(first.<List<String>>path("orders.id")).containsExactly(placed.get(2), placed.get(1));
    as(customer)
        .get("/orders?limit=2&cursor=" + first.path("next"))
        .then()
        .body("orders.id", equalTo(List.of(placed.getFirst())))
        .body("next", nullValue());
  }

  @Test
  void showsNobodyAnothersOrder() {
    String id = place(ORDER, UUID.randomUUID().toString()).path("id");

    as("somebody-else").get("/orders/" + id).then().statusCode(404);
    as("somebody-else").get("/orders/" + id + "/saga").then().statusCode(404);
    as("somebody-else").get("/orders").then().body("orders", equalTo(List.of()));
  }

  @Test
  void letsNobodyInWithoutAGoodToken() {
    given().get("/orders").then().statusCode(401).contentType("application/problem+json");
    given()
        .auth()
        .oauth2("rubbish")
        .contentType(ContentType.JSON)
        .header("Idempotency-Key", UUID.randomUUID())
        .body(ORDER)
        .post("/orders")
        .then()
        .statusCode(401)
        .contentType("application/problem+json");
  }

  @Test
  void keepsTheCallersTraceInTheOutbox() throws SQLException {
    String trace = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
    as(customer)
        .contentType(ContentType.JSON)
        .header("Idempotency-Key", UUID.randomUUID())
        .header("traceparent", trace)
        .body(ORDER)
        .post("/orders")
        .then()
        .statusCode(201);

    assertThat(
            rows(
                "SELECT count(*) FROM saga_instance WHERE scope = ? AND traceparent = '"
                    + trace
                    + "'"))
        .isEqualTo(1);
  }

  private Response place(String body, String key) {
    return as(customer)
        .contentType(ContentType.JSON)
        .header("Idempotency-Key", key)
        .body(body)
        .post("/orders");
  }

  private static RequestSpecification as(String user) {
    return given().auth().oauth2(token(user));
  }

  private long rows(String countOfCustomer) throws SQLException {
    try (Connection connection = database.getConnection();
        PreparedStatement count = connection.prepareStatement(countOfCustomer)) {
      count.setString(1, customer);
      try (ResultSet row = count.executeQuery()) {
        row.next();
        return row.getLong(1);
      }
    }
  }
}
