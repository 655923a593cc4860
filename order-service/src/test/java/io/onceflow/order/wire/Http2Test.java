package io.onceflow.order.wire;

import static io.onceflow.launcher.testing.TestTokens.token;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.onceflow.launcher.testing.ServersResource;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.common.ResourceArg;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Version;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** HTTP/2, which Java's own client asks for unless told otherwise, is answered as HTTP/1.1 is. */
@QuarkusTest
@QuarkusTestResource(
    value = ServersResource.class,
    initArgs = @ResourceArg(name = "database", value = "orders"))
class Http2Test {

  private static final String ORDER =
      "{\"currency\":\"EUR\",\"items\":[{\"sku\":\"B\",\"quantity\":1,\"unitAmount\":1}],"
          + "\"paymentMethod\":\"pm_card_visa\",\"shippingAddress\":{\"name\":\"A\",\"line1\":\"1\","
          + "\"city\":\"L\",\"postalCode\":\"SW1Y\",\"country\":\"GB\"}}";
  private static final String TOO_LARGE = " ".repeat(2_000_000);
  private static final String NO_ORDER = "/orders/0199c3a4-5f10-7c3e-9a51-3b2f6d8e4a01";

  /** Routes that come before all others set these; a request that passed them twice has two. */
  private static final List<String> ONCE = List.of("Cache-Control", "X-Content-Type-Options");

  @TestHTTPResource("/")
  URI service;

  static Stream<Arguments> requests() {
    return Stream.of(
        arguments("a list", 200, "GET", "/orders", BodyPublishers.noBody()),
        arguments("an unknown order", 404, "GET", NO_ORDER, BodyPublishers.noBody()),
        arguments("a body of known length", 201, "POST", "/orders", known(ORDER)),
        arguments("a body of unknown length", 201, "POST", "/orders", unknown(ORDER)),
        arguments("a bad body", 400, "POST", "/orders", known("{")),
        arguments("a body that is missing", 400, "POST", "/orders", BodyPublishers.noBody()),
        arguments("no body", 404, "POST", NO_ORDER + "/cancellation", BodyPublishers.noBody()),
        arguments("an empty body", 404, "POST", NO_ORDER + "/cancellation", unknown("")),
        arguments("a method that there is not", 405, "DELETE", "/orders", known("{}")));
  }

  private static BodyPublisher known(String body) {
    return BodyPublishers.ofString(body);
  }

  /** Without a Content-Length. */
  private static BodyPublisher unknown(String body) {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    return BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(bytes));
  }

  /** The first request of a connection upgrades it; those after it begin as HTTP/2. */
  @ParameterizedTest(name = "{0}")
  @MethodSource("requests")
  void isAnsweredAsInHttp1(String what, int status, String method, String path, BodyPublisher body)
      throws Exception {
    try (HttpClient one = client(Version.HTTP_1_1);
        HttpClient two = client(Version.HTTP_2)) {
      HttpResponse<String> expected = send(one, method, path, body);
      assertThat(expected.statusCode()).as(expected.body()).isEqualTo(status);

      for (int i = 0; i < 3; i++) {
        HttpResponse<String> answer = send(two, method, path, body);

        assertThat(answer.version()).isEqualTo(Version.HTTP_2);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
        for (String header : ONCE) {
          assertThat(answer.headers().allValues(header)).as(header).hasSize(1);
        }
      }
    }
  }

  static Stream<BodyPublisher> tooLarge() {
    return Stream.of(known(TOO_LARGE), unknown(TOO_LARGE));
  }

  @ParameterizedTest
  @MethodSource("tooLarge")
  void aBodyThatIsTooLargeIsRefusedAndTheConnectionServesOn(BodyPublisher body) throws Exception {
    try (HttpClient two = client(Version.HTTP_2)) {
      assertThat(send(two, "GET", "/orders", BodyPublishers.noBody()).statusCode()).isEqualTo(200);

      assertThat(send(two, "POST", "/orders", body).statusCode()).isEqualTo(413);
      assertThat(send(two, "POST", "/orders", known(ORDER)).statusCode()).isEqualTo(201);
    }
  }

  private static HttpClient client(Version version) {
    return HttpClient.newBuilder().version(version).build();
  }

  private HttpResponse<String> send(
      HttpClient client, String method, String path, BodyPublisher body)
      throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(service.resolve(path))
            .timeout(Duration.ofSeconds(30))
            .header("Authorization", "Bearer " + token("alice"))
            .header("Idempotency-Key", UUID.randomUUID().toString())
            .header("Content-Type", "application/json")
            .method(method, body)
            .build();
    return client.send(request, BodyHandlers.ofString());
  }
}
