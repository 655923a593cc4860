package io.onceflow.systemtests;

import static org.assertj.core.api.Assertions.assertThat;

import io.restassured.response.Response;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Many clients at once, each of which sends its request again and again. */
@SystemTest
@Tag("nightly")
class HerdTest {

  private static final int ORDERS = 100;
  private static final int CLIENTS = 16;
  private static final int TIMES = 3;

  /** Two thousand requests and some, all of them the same. */
  private static final int HERD = 64;

  private static final int REQUESTS_EACH = 32;

  private final Customer customer = Stack.get().newCustomer();

  @Test
  void aHundredOrdersEachSentThriceAtOnceAreAHundredOrders() {
    List<List<Response>> answers = Together.inThreads(CLIENTS, orders());

    answers.forEach(HerdTest::expectOneAnswerOrInProgress);
    customer.awaitOrders(ORDERS, "CONFIRMED");
    customer.placed().forEach(order -> order.expectPaidAndShippedOnce(OrderForm.GOOD.amount()));
  }

  @Test
  void sixtyFourClientsUnderOneKeyPlaceOneOrder() {
    String key = Customer.newKey();

    List<Response> answers =
        Together.atTheSameMoment(HERD, () -> customer.post(OrderForm.GOOD.json(), key));

    expectOneAnswerOrInProgress(answers);
    customer.awaitOrders(1, "CONFIRMED");
    customer.placed().getFirst().expectPaidAndShippedOnce(OrderForm.GOOD.amount());
  }

  @Test
  void sixtyFourClientsWhoWaitAllGetTheOneAnswer() {
    Map<String, String> headers = Map.of("Idempotency-Key", Customer.newKey(), "Prefer", "wait=20");

    List<List<Response>> answers =
        Together.atTheSameMoment(
            HERD,
            () ->
                Stream.generate(() -> customer.post(OrderForm.GOOD.json(), headers))
                    .limit(REQUESTS_EACH)
                    .toList());

    List<String> bodies = answers.stream().flatMap(List::stream).map(Response::asString).toList();
    assertThat(bodies).hasSize(HERD * REQUESTS_EACH).containsOnly(bodies.getFirst());
    customer.awaitOrders(1, "CONFIRMED");
    customer.placed().getFirst().expectPaidAndShippedOnce(OrderForm.GOOD.amount());
  }

  /** Each under a different key, sent three times at the same moment. */
  private List<Callable<List<Response>>> orders() {
    return IntStream.range(0, ORDERS).mapToObj(i -> Customer.newKey()).map(this::thrice).toList();
  }

  private Callable<List<Response>> thrice(String key) {
    return () -> Together.atTheSameMoment(TIMES, () -> customer.post(OrderForm.GOOD.json(), key));
  }

  private static void expectOneAnswerOrInProgress(List<Response> answers) {
    assertThat(answers)
        .extracting(Response::statusCode)
        .contains(201)
        .allSatisfy(status -> assertThat(status).isIn(201, 409));
    assertThat(answers)
        .filteredOn(answer -> answer.statusCode() == 201)
        .extracting(Response::asString)
        .as("all answers that created under one key")
        .containsOnly(first(answers).asString());
    assertThat(answers)
        .filteredOn(answer -> answer.statusCode() == 409)
        .allSatisfy(
            answer -> {
              assertThat(answer.<String>path("type")).endsWith("/problems/request-in-progress");
              assertThat(answer.header("Retry-After")).isNotBlank();
            });
  }

  private static Response first(List<Response> answers) {
    return answers.stream().filter(it -> it.statusCode() == 201).findFirst().orElseThrow();
  }
}
