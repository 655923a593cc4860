package io.onceflow.order.api;

import static java.util.Collections.nCopies;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.contains;

import io.onceflow.launcher.testing.ServersResource;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.common.ResourceArg;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Orders that are refused, and leave nothing behind. */
@QuarkusTest
@QuarkusTestResource(
    value = ServersResource.class,
    initArgs = @ResourceArg(name = "database", value = "orders"))
class BadOrderTest extends OrderRequests {

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
            "violations.field", contains("currency", "items", "paymentMethod", "shippingAddress"));
  }

  /** The same request gets the same answer, with one sentence for what is missing. */
  @Test
  void namesThemInTheirOrderAndEachOnce() {
    String items = String.join(",", nCopies(11, "{\"quantity\": 1, \"unitAmount\": 1}"));
    String body =
        """
        {"currency": "EUR", "items": [%s], "paymentMethod": "pm_card_visa",
         "shippingAddress": {"name": "Ada", "line1": " ", "country": "GB"}}
        """;
    List<String> fields =
        place(body.formatted(items), UUID.randomUUID().toString())
            .then()
            .statusCode(400)
            .extract()
            .path("violations.field");
    assertThat(fields.subList(0, 11))
        .containsExactlyElementsOf(
            IntStream.range(0, 11).mapToObj("items[%s].sku"::formatted).toList());
    assertThat(fields.subList(11, fields.size()))
        .containsExactly(
            "shippingAddress.city", "shippingAddress.line1", "shippingAddress.postalCode");
  }

  @Test
  void refusesABodyThatIsTooLarge() {
    place("x".repeat(2_000_000), UUID.randomUUID().toString())
        .then()
        .statusCode(413)
        .contentType("application/problem+json");
  }
}
