package io.onceflow.order.wire;

import static io.onceflow.launcher.testing.TestTokens.token;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.onceflow.launcher.testing.ServersResource;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.common.ResourceArg;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import java.io.IOException;
import java.net.URI;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a service says to a request that is no good request, by the request's form alone. */
@QuarkusTest
@QuarkusTestResource(
    value = ServersResource.class,
    initArgs = @ResourceArg(name = "database", value = "orders"))
class RequestFormTest {

  private static final String ORDER =
      "{\"currency\":\"EUR\",\"items\":[{\"sku\":\"B\",\"quantity\":1,\"unitAmount\":1}],"
          + "\"paymentMethod\":\"pm_card_visa\",\"shippingAddress\":{\"name\":\"A\",\"line1\":\"1\","
          + "\"city\":\"L\",\"postalCode\":\"SW1Y\",\"country\":\"GB\"}}";

  @TestHTTPResource("/")
  URI service;

  static Stream<Arguments> refused() {
    return Stream.of(
        arguments("an unknown method", 501, "ZZZ1 /orders HTTP/1.1\nHost: a\n\n"),
        arguments("a method in lower case", 501, "get /orders HTTP/1.1\nHost: a\n\n"),
        arguments("no Host", 400, "GET /orders HTTP/1.1\n\n"),
        arguments("two Hosts", 400, "GET /orders HTTP/1.1\nHost: a\nHost: b\n\n"),
        arguments("one Host twice", 400, "GET /orders HTTP/1.1\nHost: a\nHost: a\n\n"),
        arguments("a Host that is none", 400, "GET /orders HTTP/1.1\nHost: a b\n\n"),
        arguments("half an escape", 400, "GET /orders/%4 HTTP/1.1\nHost: a\n\n"),
        arguments("no escape", 400, "GET /orders?cursor=%zz HTTP/1.1\nHost: a\n\n"),
        arguments("another transfer coding", 400, post("Transfer-Encoding: gzip, chunked\n")),
        arguments("two transfer codings", 400, post(chunked() + chunked())),
        arguments("chunks in HTTP/1.0", 400, post(chunked()).replace("HTTP/1.1", "HTTP/1.0")),
        arguments("a body in gzip", 415, post("Content-Encoding: gzip\nContent-Length: 3\n")),
        arguments("a body that is too large", 413, post("Content-Length: 2000000\n")));
  }

  static Stream<Arguments> unreadable() {
    return Stream.of(
        arguments("a length and chunks", 400, post(chunked() + "Content-Length: 5\n") + "0\n\n"),
        arguments("two lengths", 400, post("Content-Length: 5\nContent-Length: 6\n") + "123456"),
        arguments("a length that is none", 400, post("Content-Length: five\n")),
        arguments("a first line that is none", 400, "hello\n\n"),
        arguments("a long address", 414, "GET /o?" + "x".repeat(5_000) + " HTTP/1.1\nHost: a\n\n"),
        arguments(
            "long headers",
            431,
            "GET /orders HTTP/1.1\nHost: a\nX-Long: " + "x".repeat(17_000) + "\n\n"));
  }

  private static String chunked() {
    return "Transfer-Encoding: chunked\n";
  }

  private static String post(String headers) {
    return "POST /orders HTTP/1.1\nHost: a\nContent-Type: application/json\n%sIdempotency-Key: %s\n\n"
        .formatted(headers, UUID.randomUUID());
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource({"refused", "unreadable"})
  void isRefusedWithAProblemAndTheConnectionIsClosed(String what, int status, String request)
      throws IOException {
    try (Connection connection = new Connection(service)) {
      Connection.Answer answer = connection.send(request).read();

      assertThat(answer.status()).as(answer.toString()).isEqualTo(status);
      assertThat(answer.isProblem()).as(answer.toString()).isTrue();
      assertThat(answer.header("Connection")).isEqualTo("close");
      assertThat(answer.header("Cache-Control")).isEqualTo("no-store");
      assertThat(answer.header("X-Content-Type-Options")).isEqualTo("nosniff");
      assertThat(connection.isClosedByServer()).isTrue();
    }
  }

  @Test
  void aContentEncodingThatIsNotSupportedIsAnsweredWithThoseThatAre() throws IOException {
    Connection.Answer answer =
        Connection.ask(service, post("Content-Encoding: br\nContent-Length: 0\n"));

    assertThat(answer.header("Accept-Encoding")).isEqualTo("identity");
  }

  @ParameterizedTest
  @CsvSource({
    "DELETE, /orders, 'GET, HEAD, OPTIONS, POST'",
    "POST, /orders/0199c3a4-5f10-7c3e-9a51-3b2f6d8e4a01, 'GET, HEAD, OPTIONS'",
    "PUT, /sagas/0199c3a4-5f10-7c3e-9a51-3b2f6d8e4a01/retry, 'OPTIONS, POST'"
  })
  void aMethodThatAResourceDoesNotHaveIsAnsweredWithThoseItHas(
      String method, String path, String allowed) throws IOException {
    Connection.Answer answer =
        Connection.ask(service, "%s %s HTTP/1.1\nHost: a\n\n".formatted(method, path));

    assertThat(answer.status()).isEqualTo(405);
    assertThat(answer.header("Allow")).isEqualTo(allowed);
    assertThat(answer.isProblem()).as(answer.toString()).isTrue();
  }

  @Test
  void aTokenThatIsNotAcceptedIsToldFromNone() throws IOException {
    String request = "GET /orders HTTP/1.1\nHost: a\n%s\n";

    Connection.Answer without = Connection.ask(service, request.formatted(""));
    Connection.Answer bad =
        Connection.ask(service, request.formatted("Authorization: Bearer no.good.token\n"));

    assertThat(without.header("WWW-Authenticate")).isEqualTo("Bearer");
    assertThat(bad.status()).isEqualTo(401);
    assertThat(bad.header("WWW-Authenticate")).startsWith("Bearer error=\"invalid_token\"");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/orders?limit=0",
        "/orders?limit=-1",
        "/orders?limit=101",
        "/orders?limit=99999999999",
        "/orders?limit=abc",
        "/orders?limit=1.5",
        "/orders?cursor=abc",
        "/orders?cursor=0199c3a4",
        "/order-imports?limit=abc",
        "/order-imports?cursor=abc",
        "/sagas?limit=abc",
        "/sagas?limit=0",
        "/sagas?cursor=abc",
        "/parked-messages?limit=abc",
        "/parked-messages?cursor=abc"
      })
  void aLimitOrCursorThatCannotBeIsABadRequest(String path) throws IOException {
    Connection.Answer answer = Connection.ask(service, get(path));

    assertThat(answer.status()).as(answer.toString()).isEqualTo(400);
    assertThat(answer.isProblem()).as(answer.toString()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/orders",
        "/orders/0199c3a4-5f10-7c3e-9a51-3b2f6d8e4a01",
        "/nothing",
        "/idempotency-keys/none"
      })
  void noAnswerMayBeKeptOrTakenForAnotherType(String path) throws IOException {
    Connection.Answer answer = Connection.ask(service, get(path));

    assertThat(answer.header("Cache-Control")).isEqualTo("no-store");
    assertThat(answer.header("X-Content-Type-Options")).isEqualTo("nosniff");
  }

  @Test
  void aReplayIsWhatWasAnsweredFirst() throws IOException {
    String request =
        "POST /orders HTTP/1.1\nHost: a\nAuthorization: Bearer %s\nIdempotency-Key: %s\nContent-Type: application/json\nContent-Length: %d\n\n%s"
            .formatted(token("alice"), UUID.randomUUID(), ORDER.length(), ORDER);

    Connection.Answer first = Connection.ask(service, request);
    Connection.Answer again = Connection.ask(service, request);

    assertThat(first.status()).as(first.toString()).isEqualTo(201);
    assertThat(again.headers()).containsEntry("idempotent-replayed", "true");
    assertThat(again.body()).isEqualTo(first.body());
    assertThat(again.headers()).containsAllEntriesOf(first.headers());
    assertThat(again.header("Cache-Control")).isEqualTo("no-store");
  }

  /** A client that asks before it sends waits for this line. */
  @Test
  void aClientThatAsksBeforeItSendsIsToldToGoOn() throws IOException {
    try (Connection connection = new Connection(service)) {
      connection.send(
          "POST /orders HTTP/1.1\nHost: a\nExpect: 100-continue\nContent-Length: 2\n\n");

      assertThat(connection.read().status()).isEqualTo(100);
      assertThat(connection.send("{}").read().status()).isEqualTo(401);
    }
  }

  private static String get(String path) {
    return "GET %s HTTP/1.1\nHost: a\nAuthorization: Bearer %s\n\n"
        .formatted(path, token("olga", "operator"));
  }
}
