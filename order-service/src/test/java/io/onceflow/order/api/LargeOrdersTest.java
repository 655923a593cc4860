package io.onceflow.order.api;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.idempotency.internal.admission.LargeAnswer;
import io.onceflow.quickstart.testing.ServersResource;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.common.ResourceArg;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Answers are bounded in bytes, however large the orders in them are. */
@QuarkusTest
@QuarkusTestResource(
    value = ServersResource.class,
    initArgs = @ResourceArg(name = "database", value = "orders"))
class LargeOrdersTest extends OrderRequests {

  private static final int LINES = 500;

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

  static String large() {
    String line =
        "{\"sku\": \"%s\", \"quantity\": 2, \"unitAmount\": 1250}".formatted("B".repeat(60));
    String lines = IntStream.range(0, LINES).mapToObj(i -> line).collect(joining(","));
    String order = ORDER.replaceFirst("\\{\"sku\"[^}]*}", lines);
    assertThat(order.getBytes(UTF_8)).hasSizeGreaterThan(50_000);
    return order;
  }
}
