package io.onceflow.systemtests;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.restassured.http.ContentType;
import io.restassured.path.json.JsonPath;
import io.restassured.response.Response;
import io.restassured.specification.RequestSpecification;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Compares a service's books, as an operator. */
record Reconciliations(Stack stack, ServiceProcess service) {

  private static final Duration SOON = Duration.ofMinutes(2);

  /**
   * Compares today and yesterday: the test may run at midnight.
   *
   * @return what is open then, as {@code kind reference}
   */
  Set<String> compare(String comparison) {
    LocalDate today = LocalDate.now(ZoneOffset.UTC);
    compare(comparison, today.minusDays(1));
    compare(comparison, today);
    return open(comparison);
  }

  private void compare(String comparison, LocalDate day) {
    Response started =
        asOperator()
            .contentType(ContentType.JSON)
            .body("{\"comparison\": \"%s\", \"day\": \"%s\"}".formatted(comparison, day))
            .post(service.url() + "/reconciliations");
    assertThat(started.statusCode()).as(started.asString()).isEqualTo(202);
    String run = service.url() + "/reconciliations/" + started.path("id");
    await(comparison + " is made")
        .atMost(SOON)
        .until(() -> asOperator().get(run).path("finishedAt") != null);
    JsonPath ended = asOperator().get(run).jsonPath();
    assertThat(ended.getString("status")).as(ended.getString("failure")).isEqualTo("COMPLETED");
  }

  /** The open differences, as {@code kind reference}. */
  Set<String> open(String comparison) {
    Set<String> open = new TreeSet<>();
    list(comparison).forEach(it -> open.add(it.get("kind") + " " + it.get("reference")));
    return open;
  }

  /** Mends what is missing here. */
  Response mend(String comparison, String reference) {
    String id =
        list(comparison).stream()
            .filter(it -> reference.equals(it.get("reference")))
            .map(it -> String.valueOf(it.get("id")))
            .findFirst()
            .orElseThrow();
    return asOperator()
        .contentType(ContentType.JSON)
        .body("{\"reason\": \"planted by a test\"}")
        .post(service.url() + "/reconciliation-differences/" + id + "/mend");
  }

  private List<Map<String, Object>> list(String comparison) {
    return asOperator()
        .get(
            service.url()
                + "/reconciliation-differences?status=OPEN&limit=500&comparison="
                + comparison)
        .jsonPath()
        .getList("differences");
  }

  private RequestSpecification asOperator() {
    return given().auth().oauth2(stack.issuer().operator());
  }
}
