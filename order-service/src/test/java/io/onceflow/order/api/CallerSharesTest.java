package io.onceflow.order.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.launcher.testing.ServersResource;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.common.ResourceArg;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.QuarkusTestProfile;
import io.quarkus.test.junit.TestProfile;
import io.restassured.http.Method;
import io.restassured.response.Response;
import java.util.Map;
import java.util.UUID;
import java.util.function.Supplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Whatever a customer does counts for it: reading, cancelling, and the size of its orders. */
@QuarkusTest
@TestProfile(CallerSharesTest.FewRequests.class)
@QuarkusTestResource(
    value = ServersResource.class,
    initArgs = @ResourceArg(name = "database", value = "orders"))
@Tag("nightly")
class CallerSharesTest extends OrderRequests {

  private static final int BURST = 20;

  /** A burst of twenty, and one more in each second. */
  public static final class FewRequests implements QuarkusTestProfile {
    @Override
    public Map<String, String> getConfigOverrides() {
      return Map.of(
          "onceflow.admission.caller.burst",
          Integer.toString(BURST),
          "onceflow.admission.caller.per-second",
          "1");
    }
  }

  /** 100 connections of it slowed down the orders of all others. */
  @Test
  void readingHasAShareOfItsOwn() {
    assertThat(untilRefused(() -> as(customer).get("/orders"))).isLessThan(3 * BURST);
    assertThat(place(ORDER, newKey()).statusCode()).isEqualTo(201);
    as("customer-" + UUID.randomUUID()).get("/orders").then().statusCode(200);
  }

  /** All of these are answered as GET /orders is. */
  @ParameterizedTest
  @CsvSource({
    "HEAD, /orders",
    "GET, /orders/",
    "GET, //orders",
    "GET, /orders;a=b",
    "GET, /%6Frders",
    "GET, /orders/;a"
  })
  void readingCountsHoweverItIsWritten(String method, String path) {
    assertThat(
            untilRefused(
                () -> as(customer).urlEncodingEnabled(false).request(Method.valueOf(method), path)))
        .isLessThan(3 * BURST);
  }

  @Test
  void readingWhatBecameOfAKeyCounts() {
    assertThat(untilRefused(() -> as(customer).get("/idempotency-keys/un/known")))
        .isLessThan(3 * BURST);
  }

  @Test
  void cancellingCounts() {
    String id = place(ORDER, newKey()).path("id");
    assertThat(
            untilRefused(
                () ->
                    as(customer)
                        .header("Idempotency-Key", newKey())
                        .post("/orders/" + id + "/cancellation")))
        .isLessThan(3 * BURST);
  }

  /** 300 of them made the order of another customer wait ten seconds. */
  @Test
  void aLargeOrderCountsAsSeveral() {
    assertThat(untilRefused(() -> place(LargeOrdersTest.large(), newKey()))).isLessThan(5);
  }

  private static String newKey() {
    return UUID.randomUUID().toString();
  }

  /** How many requests were answered before one was refused with 429. */
  private static int untilRefused(Supplier<Response> request) {
    for (int answered = 0; answered < 10 * BURST; answered++) {
      if (request.get().statusCode() == 429) {
        return answered;
      }
    }
    throw new AssertionError("none of %d requests was refused".formatted(10 * BURST));
  }
}
