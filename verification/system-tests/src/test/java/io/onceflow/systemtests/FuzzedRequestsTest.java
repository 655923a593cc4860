package io.onceflow.systemtests;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;

import io.restassured.path.json.JsonPath;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Requests made from the services' OpenAPI documents and then changed at random. Each is answered,
 * none with a 5xx, none costs more than a bound, and a refused request stores nothing.
 */
@Tag("nightly")
@SystemTest
class FuzzedRequestsTest {

  private static final int INPUTS = 3_000;
  private static final int WARM_UP = 800;
  private static final int STRETCH = 500;
  private static final int FINDINGS_SHOWN = 10;

  private final Stack stack = Stack.getAsShipped();
  private final String users = "fuzz-" + UUID.randomUUID() + "-";

  /** What was accepted may have paused them. */
  @AfterEach
  void resumeParticipants() {
    Operator operator = new Operator(stack);
    stack.services().forEach(service -> operator.resumes(service, "the test is over"));
  }

  @Test
  void theDocumentTellsHowToPlaceAnOrder() {
    ApiOperation placing = operation("/orders");

    assertThat(stack.newCustomer().post(String.valueOf(placing.body()), Customer.newKey()))
        .returns(201, answer -> answer.statusCode());
  }

  @Test
  void everyRequestIsAnsweredAtABoundedCostAndWhatIsRefusedIsNotKept() {
    FuzzSettings settings = FuzzSettings.ofRun(INPUTS);
    HttpFuzzing fuzzing = new HttpFuzzing(stack, users);

    fuzzing.warmUp(settings.warmUp(WARM_UP));
    try (ResourceWatch watch = ResourceWatch.of(stack.services(), ResourceBounds.DEFAULT)) {
      List<String> complaints = watch.complaints(settings.stretches(STRETCH), fuzzing::run);
      System.out.printf("fuzzed: %s%n%s%n", fuzzing.figures(), watch);
      assertThat(complaints).as("what the requests cost").isEmpty();
    }

    List<String> findings = fuzzing.findings();
    assertThat(findings.stream().limit(FINDINGS_SHOWN))
        .as("%d findings", findings.size())
        .isEmpty();
    assertThat(fuzzing.accepted()).isNotEmpty();
    expectKept(fuzzing.accepted());
    resumeParticipants();
    expectHealthy();
  }

  /** What was accepted is there, and nothing else. */
  private void expectKept(List<HttpFuzzing.Exchange> accepted) {
    Database database = stack.ordersDatabase();
    assertThat(
            database.texts(
                """
                SELECT id::text FROM orders o WHERE customer LIKE ?
                AND NOT EXISTS (SELECT FROM order_import_line l WHERE l.order_id = o.id)
                """,
                users + "%"))
        .containsExactlyInAnyOrderElementsOf(told(accepted, "/orders", "id"));
    assertThat(
            database.texts(
                "SELECT DISTINCT idempotency_key FROM order_import WHERE customer LIKE ?",
                users + "%"))
        // An import is answered before it has orders, and goes by its key until then.
        .containsExactlyInAnyOrderElementsOf(told(accepted, "/order-imports", "key"));
    assertThat(
            database.count(
                "SELECT count(*) FROM idempotency_record WHERE scope LIKE ?", users + "%"))
        .isLessThanOrEqualTo(accepted.size());
  }

  private static List<String> told(
      List<HttpFuzzing.Exchange> accepted, String path, String property) {
    return accepted.stream()
        .filter(it -> it.input().target().matches(path + "/?(\\?.*)?"))
        .map(it -> JsonPath.from(it.answer().body()).getString(property))
        // A repeat of an import that has ended is answered with its orders, and without its key.
        .filter(Objects::nonNull)
        .distinct()
        .toList();
  }

  private void expectHealthy() {
    assertThat(stack.services())
        .allSatisfy(
            service -> {
              assertThat(service.isAlive()).isTrue();
              assertThat(given().get(service.managementUrl() + "/q/health").statusCode())
                  .isEqualTo(200);
            });
    stack
        .newCustomer()
        .places(OrderForm.GOOD)
        .awaitConfirmed()
        .expectPaidAndShippedOnce(OrderForm.GOOD.amount());
  }

  private ApiOperation operation(String path) {
    return ApiOperation.of(stack.orders()).stream()
        .filter(it -> it.path().equals(path) && it.method().equals("POST"))
        .findAny()
        .orElseThrow();
  }
}
