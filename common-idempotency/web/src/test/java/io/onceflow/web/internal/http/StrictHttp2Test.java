package io.onceflow.web.internal.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpVersion;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * How a connection becomes one of HTTP/2, from its beginning or by an upgrade, and how it is read.
 */
class StrictHttp2Test extends StrictConnections {

  /** Frames of HTTP/2; HEADERS of GET / without END_HEADERS. */
  private static final String SETTINGS = "\0\0\0\4\0\0\0\0\0";

  private static final String HEADERS = "\0\0\6\1\1\0\0\0\1\u0082\u0086\u0084\u0041\u0001a";
  private static final String EMPTY_CONTINUATION = "\0\0\0\t\0\0\0\0\1";
  private static final String LAST_CONTINUATION = "\0\0\0\t\4\0\0\0\1";
  private static final String PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
  private static final String UPGRADE =
      "Connection: Upgrade, HTTP2-Settings\r\n"
          + "Upgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n\r\n";
  private static final String GET_UPGRADE = "GET / HTTP/1.1\r\nHost: a\r\n" + UPGRADE;
  private static final String POST_UPGRADE =
      "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n" + UPGRADE;

  /** Stream 1 is the request that upgrades. */
  private static String onStream3(String frame) {
    return frame.replace("\0\0\0\1", "\0\0\0\3");
  }

  /** The first frames of HTTP/2 may come with the end of the body. */
  @ParameterizedTest
  @ValueSource(ints = {1, 5, 10_000})
  void servesARequestThatUpgradesAndTheNextOne(int part) throws IOException {
    String next = PREFACE + SETTINGS + onStream3(HEADERS + LAST_CONTINUATION);

    for (String request :
        List.of(GET_UPGRADE, POST_UPGRADE + "0\r\n\r\n", POST_UPGRADE + "3\r\nabc\r\n0\r\n\r\n")) {
      try (Socket socket = connect()) {
        send(socket, part, request + next);

        assertThat(readUntil(socket, "fine(abc)?.*fine")).startsWith("HTTP/1.1 101");
      }
    }
  }

  /** Some connections of a client that waits for the answer to its upgrade. */
  @Test
  void servesAnEmptyChunkedBodyThatUpgrades() throws Exception {
    for (int i = 0; i < 20; i++) {
      try (java.net.http.HttpClient client = java.net.http.HttpClient.newHttpClient()) {
        URI address = URI.create("http://localhost:" + server.actualPort());
        HttpRequest request =
            HttpRequest.newBuilder(address)
                .POST(BodyPublishers.ofInputStream(InputStream::nullInputStream))
                .build();

        HttpResponse<String> answer = client.send(request, BodyHandlers.ofString());

        assertThat(answer.version()).isEqualTo(java.net.http.HttpClient.Version.HTTP_2);
        assertThat(answer.body()).isEqualTo("fine");
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 5, 10_000})
  void closesAConnectionWhoseContinuationsDoNotComeToTheirEnd(int part) throws IOException {
    String endless = HEADERS + EMPTY_CONTINUATION.repeat(1_000);

    assertThat(say(part, PREFACE + SETTINGS + endless)).endsWith("\0\0\0\u000b");
    for (String request : List.of(GET_UPGRADE, POST_UPGRADE + "0\r\n\r\n")) {
      assertThat(say(part, request + PREFACE + SETTINGS + onStream3(endless)))
          .startsWith("HTTP/1.1 101")
          .endsWith("\0\0\0\u000b");
    }
  }

  @Test
  void readsHeadersInAFewContinuations() throws IOException {
    String request =
        PREFACE + SETTINGS + HEADERS + EMPTY_CONTINUATION.repeat(3) + LAST_CONTINUATION;
    try (Socket socket = connect()) {
      socket.getOutputStream().write(request.getBytes(ISO_8859_1));

      Awaitility.await().untilAsserted(() -> assertThat(handled).containsExactly("GET "));
    }
  }

  @Test
  void speaksHttp2() {
    HttpClient client =
        vertx.createHttpClient(
            new HttpClientOptions()
                .setProtocolVersion(HttpVersion.HTTP_2)
                .setHttp2ClearTextUpgrade(false));

    int status =
        client
            .request(HttpMethod.GET, server.actualPort(), "localhost", "/")
            .compose(request -> request.send())
            .map(response -> response.statusCode())
            .toCompletionStage()
            .toCompletableFuture()
            .join();

    assertThat(status).isEqualTo(200);
  }
}
