package io.onceflow.order.api;

import static io.onceflow.launcher.testing.TestTokens.token;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.onceflow.idempotency.LargeAnswer;
import io.onceflow.launcher.testing.ServersResource;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.common.ResourceArg;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Answers are bounded in bytes, however large the orders in them are. */
@QuarkusTest
@QuarkusTestResource(
    value = ServersResource.class,
    initArgs = @ResourceArg(name = "database", value = "orders"))
@Tag("nightly")
class LargeOrdersTest extends OrderRequests {

  private static final int LINES = 500;

  @TestHTTPResource("/")
  URI server;

  /** 101 of them were 11.9 MB in one page, and 20 such pages at once ended the process. */
  @Test
  void aPageOfLargeOrdersEndsEarlyAndTheNextGoesOn() {
    List<String> placed = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      Response order = place(large(), UUID.randomUUID().toString());
      assertThat(order.statusCode()).isEqualTo(201);
      placed.addFirst(order.path("id"));
    }

    List<String> listed = new ArrayList<>();
    int pages = 0;
    String cursor = null;
    do {
      Response page =
          as(customer).get("/orders?limit=100" + (cursor == null ? "" : "&cursor=" + cursor));
      assertThat(page.statusCode()).isEqualTo(200);
      assertThat(page.asByteArray()).hasSizeLessThan(LargeAnswer.MOST_BYTES + 100);
      listed.addAll(page.path("orders.id"));
      cursor = page.path("next");
      pages++;
    } while (cursor != null);

    assertThat(pages).isGreaterThan(1);
    assertThat(listed).isEqualTo(placed);
  }

  /** Each page holds memory until it is taken; were it kept, the seventeenth would be refused. */
  @ParameterizedTest
  @EnumSource
  void whatIsTakenMakesRoomForMore(HttpClient.Version version) {
    for (int i = 0; i < 3; i++) {
      place(large(), UUID.randomUUID().toString());
    }
    AtomicInteger taken = new AtomicInteger();
    try (HttpClient http = HttpClient.newBuilder().version(version).build()) {
      await().until(() -> take(http, taken) == 20);
    }
  }

  private int take(HttpClient http, AtomicInteger taken) throws Exception {
    HttpRequest page =
        HttpRequest.newBuilder(server.resolve("orders?limit=100"))
            .header("Authorization", "Bearer " + token(customer))
            .build();
    HttpResponse<String> answer = http.send(page, HttpResponse.BodyHandlers.ofString());
    if (answer.statusCode() == 200) {
      return taken.incrementAndGet();
    }
    // For the moment it has read too fast.
    assertThat(answer.headers().firstValue("RateLimit-Policy").orElseThrow())
        .startsWith("\"requests\"");
    return taken.get();
  }

  static String large() {
    String line =
        "{\"sku\": \"%s\", \"quantity\": 2, \"unitAmount\": 1250}".formatted("B".repeat(60));
    String lines = IntStream.range(0, LINES).mapToObj(i -> line).collect(joining(","));
    String order = ORDER.replaceFirst("\\{\"sku\"[^}]*}", lines);
    assertThat(order.getBytes(UTF_8)).hasSizeGreaterThan(50_000);
    return order;
  }
}
