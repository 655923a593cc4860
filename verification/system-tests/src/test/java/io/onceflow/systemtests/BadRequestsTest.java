package io.onceflow.systemtests;

import static org.assertj.core.api.Assertions.assertThat;

import io.restassured.response.Response;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Orders that are none: refused with a problem that says why, and nothing is kept of them. */
@SystemTest
class BadRequestsTest {

  private static final String GOOD = OrderForm.GOOD.json();

  private static final int TWO_MEGABYTES = 2_000_000;

  private static final List<String> TABLES_BY_SCOPE =
      List.of(
          "orders WHERE customer = ?",
          "saga_instance WHERE scope = ?",
          "outbox_message WHERE headers ->> 'x-idempotency-scope' = ?",
          "idempotency_record WHERE scope = ?");

  private final Stack stack = Stack.get();
  private final Customer customer = stack.newCustomer();

  static Stream<Arguments> badBodies() {
    return Stream.of(
        Arguments.of("no JSON", 400, "{\"currency\":", ""),
        Arguments.of("nothing", 400, "", ""),
        Arguments.of("null", 400, "null", ""),
        Arguments.of("a list", 400, "[]", ""),
        Arguments.of("a negative quantity", 400, quantity("-2"), "quantity"),
        Arguments.of("a quantity of none", 400, quantity("0"), "quantity"),
        Arguments.of("half a book", 400, quantity("1.5"), "quantity"),
        Arguments.of("a quantity in quotes", 400, quantity("\"2\""), "quantity"),
        Arguments.of("a quantity beyond counting", 400, quantity("99999999999"), "quantity"),
        Arguments.of("an unknown currency", 400, GOOD.replace("EUR", "EUX"), "currency"),
        Arguments.of("an unknown country", 400, GOOD.replace("\"GB\"", "\"ZZ\""), "country"),
        Arguments.of("no items", 400, GOOD.replaceAll("\\[.*]", "[]"), "items"),
        Arguments.of(
            "a property twice", 400, GOOD.replace("{\"cur", "{\"currency\":\"USD\",\"cur"), ""),
        Arguments.of("2 MB", 413, GOOD.replace("BOOK-42", "B".repeat(TWO_MEGABYTES)), ""));
  }

  private static String quantity(String json) {
    return GOOD.replace("\"quantity\": 2", "\"quantity\": " + json);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("badBodies")
  void aBadBodyIsRefusedAndNothingIsStored(String what, int status, String body, String named) {
    Response refused = customer.post(body, Customer.newKey());

    expectProblem(refused, status);
    assertThat(refused.asString()).contains(named);
    expectNothingStored();
  }

  @Test
  void everyFieldThatIsWrongIsNamed() {
    String body = quantity("-2").replace("EUR", "EUX");

    Response refused = customer.post(body, Customer.newKey());

    expectProblem(refused, 400);
    assertThat(refused.jsonPath().<String>getList("violations.field"))
        .containsExactlyInAnyOrder("currency", "items[0].quantity");
    expectNothingStored();
  }

  static Stream<Arguments> badKeys() {
    return Stream.of(
        Arguments.of("none", Map.of(), "idempotency-key-missing"),
        Arguments.of("300 characters", key("k".repeat(300)), "idempotency-key-malformed"),
        Arguments.of("empty", key(""), "idempotency-key-malformed"),
        Arguments.of("empty in quotes", key("\"\""), "idempotency-key-malformed"),
        Arguments.of("a list", key("two, words"), "idempotency-key-malformed"),
        Arguments.of("with an open quote", key("\"half"), "idempotency-key-malformed"));
  }

  private static Map<String, String> key(String value) {
    return Map.of("Idempotency-Key", value);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("badKeys")
  void aBadKeyIsRefusedAndNothingIsStored(String what, Map<String, String> headers, String type) {
    Response refused = customer.post(GOOD, headers);

    expectProblem(refused, 400);
    assertThat(refused.<String>path("type")).endsWith("/problems/" + type);
    assertThat(refused.header("Link")).contains("rel=\"describedby\"");
    expectNothingStored();
  }

  @Test
  void aKeyThatWasRefusedWithABadBodyIsStillGood() {
    String key = Customer.newKey();
    expectProblem(customer.post(quantity("-2"), key), 400);

    customer.places(OrderForm.GOOD, key).awaitConfirmed();
  }

  private static void expectProblem(Response refused, int status) {
    assertThat(refused.statusCode()).as(refused.asString()).isEqualTo(status);
    assertThat(refused.contentType()).startsWith("application/problem+json");
    assertThat(refused.<String>path("type")).contains("/problems/");
    assertThat(refused.<Integer>path("status")).isEqualTo(status);
    assertThat(refused.<String>path("title")).isNotBlank();
  }

  private void expectNothingStored() {
    assertThat(TABLES_BY_SCOPE)
        .allSatisfy(
            table ->
                assertThat(
                        stack
                            .ordersDatabase()
                            .count("SELECT count(*) FROM " + table, customer.name()))
                    .as(table)
                    .isZero());
  }
}
