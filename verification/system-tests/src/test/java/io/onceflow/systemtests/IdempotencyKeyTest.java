package io.onceflow.systemtests;

import static org.assertj.core.api.Assertions.assertThat;

import io.restassured.http.Header;
import io.restassured.response.Response;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What a client sees who sends a POST more than once. */
@SystemTest
class IdempotencyKeyTest {

  /** Said anew with each answer: by the replay about itself, and by the server about the time. */
  private static final Set<String> OF_THE_ANSWER_ITSELF = Set.of("idempotent-replayed", "date");

  private final Customer customer = Stack.get().newCustomer();
  private final String key = Customer.newKey();

  @Test
  void aRepeatIsAnsweredAsTheFirstTimeByteForByte() {
    Response first = customer.post(OrderForm.GOOD.json(), key);
    new Order(Stack.get(), customer, first.path("id")).awaitConfirmed();

    Response again = customer.post(OrderForm.GOOD.json(), key);

    assertThat(first.statusCode()).isEqualTo(201);
    assertThat(again.statusCode()).isEqualTo(201);
    assertThat(again.asByteArray()).isEqualTo(first.asByteArray());
    assertThat(headers(again)).isEqualTo(headers(first));
    assertThat(first.header("Location")).isEqualTo("/orders/" + first.path("id"));
    assertThat(first.header("Idempotent-Replayed")).isNull();
    assertThat(again.header("Idempotent-Replayed")).isEqualTo("true");
    assertThat(customer.orders()).hasSize(1);
  }

  @Test
  void theSameOrderInAnotherSpellingIsTheSameRequest() {
    Response first = customer.post(OrderForm.GOOD.json(), key);
    String reordered =
        OrderForm.GOOD
            .json()
            .replace("{\"currency\": \"EUR\",", "{")
            .replace("\"country\": \"GB\"}}", "\"country\": \"GB\"}, \"currency\":\"EUR\"}");

    Response again = customer.post(reordered, "\"" + key + "\"");

    assertThat(again.asByteArray()).isEqualTo(first.asByteArray());
    assertThat(again.header("Idempotent-Replayed")).isEqualTo("true");
  }

  @Test
  void anotherOrderUnderAUsedKeyIsRefusedAndChangesNothing() {
    Response first = customer.post(OrderForm.GOOD.json(), key);

    Response other = customer.post(OrderForm.GOOD.ofBooks(3).json(), key);

    assertThat(other.statusCode()).isEqualTo(422);
    assertThat(other.contentType()).startsWith("application/problem+json");
    assertThat(other.<String>path("type")).endsWith("/problems/idempotency-key-reused");
    assertThat(other.header("Link")).contains("rel=\"describedby\"");
    assertThat(customer.orders())
        .extracting(order -> order.get("id"))
        .containsExactly(first.<String>path("id"));
  }

  @Test
  void theSameKeyOfAnotherCustomerIsAnotherOrder() {
    Customer other = Stack.get().newCustomer();

    Order mine = customer.places(OrderForm.GOOD, key);
    Order theirs = other.places(OrderForm.GOOD, key);

    assertThat(theirs.id()).isNotEqualTo(mine.id());
    mine.awaitConfirmed().expectPaidAndShippedOnce(OrderForm.GOOD.amount());
    theirs.awaitConfirmed().expectPaidAndShippedOnce(OrderForm.GOOD.amount());
  }

  private static List<String> headers(Response answer) {
    return answer.headers().asList().stream()
        .filter(header -> !OF_THE_ANSWER_ITSELF.contains(header.getName().toLowerCase()))
        .map(Header::toString)
        .toList();
  }
}
