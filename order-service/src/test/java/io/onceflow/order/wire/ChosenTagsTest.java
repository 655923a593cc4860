package io.onceflow.order.wire;

import static io.onceflow.launcher.testing.TestTokens.token;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.onceflow.launcher.testing.ServersResource;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.common.ResourceArg;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@QuarkusTest
@QuarkusTestResource(
    value = ServersResource.class,
    initArgs = @ResourceArg(name = "database", value = "orders"))
@Tag("nightly")
class ChosenTagsTest {

  /** With {@code #}, a word that is another in each request. */
  private static final List<String> REQUESTS =
      List.of(
          "M# /orders HTTP/1.1\nHost: a\n\n",
          "GET /path-# HTTP/1.1\nHost: a\n\n",
          "GET /orders/#/x?q=# HTTP/1.1\nHost: h-#\nX-#: #\n\n",
          "DELETE /orders/# HTTP/1.1\nHost: a\n\n",
          "GET /%zz# HTTP/1.1\nHost: a\n\n",
          "PUT /put-# HTTP/1.1\nHost: a\nContent-Type: ;#\nContent-Length: 2\n\n{}",
          "POST /large-# HTTP/1.1\nHost: a\nContent-Length: 99999999\n\n",
          "POST /encoded-# HTTP/1.1\nHost: a\nContent-Encoding: #\nContent-Length: 0\n\n",
          "GET /two-# HTTP/1.1\nHost: a\nHost: #\n\n",
          "GET /orders HTTP/1.1\nHost: a\nAuthorization: Bearer #\n\n");

  private static final int ROUNDS = 500;

  @TestHTTPResource("/")
  URI service;

  @Inject MeterRegistry registry;

  /** Each was a time series for good: some thousands of them ended a service. */
  @Test
  void fiveThousandRequestsWithNamesOfTheirOwnLeaveTheMetersAsTheyAre() throws Exception {
    sendEachOnce("first");
    sendEachOnce("second"); // with all templates known
    Set<Meter.Id> before = meters();

    for (int round = 0; round < ROUNDS; round++) {
      sendEachOnce(Integer.toString(round));
    }

    assertThat(meters()).isEqualTo(before);
    assertThat(values("method")).doesNotContain("M1", "M499").contains("OTHER");
    assertThat(values("uri")).allMatch(uri -> !uri.contains("499"));
  }

  @Test
  void aRequestThatBreaksOffLeavesNoPath() throws Exception {
    for (int i = 0; i < 20; i++) {
      try (Connection connection = new Connection(service)) {
        connection.send("POST /broken-%d HTTP/1.1\nHost: a\nContent-Length: 9\n\n{".formatted(i));
      }
    }
    await().until(() -> values("status").contains("RESET"));

    assertThat(values("uri")).noneMatch(uri -> uri.startsWith("/broken"));
  }

  @Test
  void theTemplateOfAResourceIsATagOfItsRequests() throws Exception {
    String request = "GET /orders/%s HTTP/1.1\nHost: a\nAuthorization: Bearer %s\n\n";
    Connection.ask(service, request.formatted(UUID.randomUUID(), token("alice")));

    await().until(() -> values("uri").contains("/orders/{id}"));
  }

  private void sendEachOnce(String word) throws IOException {
    for (String request : REQUESTS) {
      assertThat(Connection.ask(service, request.replace("#", word)).status())
          .as(request)
          .isBetween(400, 501);
    }
  }

  private Set<Meter.Id> meters() {
    return registry.getMeters().stream()
        .map(Meter::getId)
        .filter(id -> id.getName().startsWith("http"))
        .collect(Collectors.toSet());
  }

  private Set<String> values(String tag) {
    return meters().stream()
        .filter(id -> id.getTag(tag) != null)
        .map(id -> id.getTag(tag))
        .collect(Collectors.toSet());
  }
}
