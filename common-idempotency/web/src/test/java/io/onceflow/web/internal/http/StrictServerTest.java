package io.onceflow.web.internal.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.impl.VertxBuilder;
import java.io.IOException;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class StrictServerTest {

  private static final int PATIENCE_MS = 20_000;
  private static final String GOOD = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";

  private static final StrictServer.Limits LIMITS =
      new StrictServer.Limits(
          Duration.ofMillis(300),
          new HttpServerOptions().setMaxInitialLineLength(100).setMaxHeaderSize(200),
          0);

  private final Vertx vertx =
      new VertxBuilder().serviceProviders(List.of(new StrictServer(() -> LIMITS))).init().vertx();

  private HttpServer server;

  @BeforeEach
  void start() {
    server =
        vertx
            .createHttpServer()
            .requestHandler(
                request -> request.body().onSuccess(body -> request.response().end("fine" + body)))
            .listen(0)
            .toCompletionStage()
            .toCompletableFuture()
            .join();
  }

  @AfterEach
  void stop() {
    vertx.close().toCompletionStage().toCompletableFuture().join();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 10, 1000})
  void readsGoodRequestsInPartsOfAnySize(int part) throws IOException {
    String answers =
        say(part, "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc", GOOD, last());

    assertThat(answers.split("HTTP/1.1 200 OK", -1)).hasSize(4);
    assertThat(answers).contains("fineabc");
  }

  private static String last() {
    return "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";
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

  @ParameterizedTest
  @CsvSource({
    "400, 'hello\r\n\r\n'",
    "400, 'POST / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n'",
    "400, 'POST / HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'",
  })
  void answersWhatItCannotReadWithAProblemAndCloses(int status, String request) throws IOException {
    assertThat(say(1000, request))
        .startsWith("HTTP/1.1 " + status)
        .contains("content-type: application/problem+json", "connection: close", "content-length")
        .endsWith("}");
  }

  @Test
  void tellsWhatIsTooLong() throws IOException {
    String line = "GET /" + "x".repeat(200) + " HTTP/1.1\r\n\r\n";
    String headers = "GET / HTTP/1.1\r\nX: " + "x".repeat(300) + "\r\n\r\n";

    assertThat(say(1000, line)).startsWith("HTTP/1.1 414").contains("/problems/");
    assertThat(say(1000, headers)).startsWith("HTTP/1.1 431").contains("/problems/");
    assertThat(say(1000, GOOD, "hello\r\n\r\n")).contains("HTTP/1.1 400").contains("HTTP/1.1 200");
  }

  /** Each byte in time, and all of them never. */
  @ParameterizedTest
  @ValueSource(strings = {"G", "GET / HTTP/1.1\r\nHost: a\r\n", "PRI * HTT"})
  void closesAConnectionWhoseHeadersDoNotComeToTheirEnd(String begun) throws IOException {
    assertThat(say(1000, begun)).isEmpty();
    try (Socket socket = connect()) {
      socket.getOutputStream().write(GOOD.getBytes(ISO_8859_1));
      assertThat(socket.getInputStream().read()).isEqualTo('H');
      socket.getOutputStream().write(begun.getBytes(ISO_8859_1));

      assertThat(socket.getInputStream().readAllBytes()).asString().endsWith("fine");
    }
  }

  /** All that is answered until the server closes the connection. */
  private String say(int part, String... requests) throws IOException {
    try (Socket socket = connect()) {
      String all = String.join("", requests);
      for (int i = 0; i < all.length(); i += part) {
        String next = all.substring(i, Math.min(all.length(), i + part));
        socket.getOutputStream().write(next.getBytes(ISO_8859_1));
      }
      return new String(socket.getInputStream().readAllBytes(), ISO_8859_1);
    }
  }

  private Socket connect() throws IOException {
    Socket socket = new Socket("localhost", server.actualPort());
    socket.setSoTimeout(PATIENCE_MS);
    socket.setTcpNoDelay(true);
    return socket;
  }
}
