package io.onceflow.web.internal.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.impl.VertxBuilder;
import io.vertx.core.impl.transports.JDKTransport;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class StrictServerTest {

  private static final int PATIENCE_MS = 20_000;
  private static final String GOOD = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";

  private Duration headerTimeout = Duration.ofMillis(PATIENCE_MS);

  private static final String POST = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc";
  private static final String CHUNKED =
      "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n";

  private final Vertx vertx =
      new VertxBuilder().serviceProviders(List.of(new StrictServer(this::limits))).init().vertx();

  private final Queue<String> handled = new ConcurrentLinkedQueue<>();
  private HttpServer server;

  private StrictServer.Limits limits() {
    return new StrictServer.Limits(
        headerTimeout,
        new HttpServerOptions().setMaxInitialLineLength(100).setMaxHeaderSize(200),
        0);
  }

  @BeforeEach
  void start() {
    start(vertx);
  }

  private void start(Vertx by) {
    server =
        by.createHttpServer()
            .requestHandler(this::handle)
            .listen(0)
            .toCompletionStage()
            .toCompletableFuture()
            .join();
  }

  private void handle(HttpServerRequest request) {
    if (request.path().equals("/refused")) {
      new WireProblem(415, "refused by its headers").sendAndClose(request);
      return;
    }
    request
        .body()
        .onSuccess(
            body -> {
              handled.add(request.method() + " " + body);
              // Like a worker thread: after whatever else has been read.
              vertx.setTimer(20, answered -> request.response().end("fine" + body));
            });
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

  /** RFC 9112, 9.6: after an answer with "close" nothing more of the connection is processed. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "GET /refused HTTP/1.1\r\nHost: a\r\n\r\n",
        "POST /refused HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: xchunked\r\n\r\n",
        "POST /refused HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\n0123456789",
        "hello\r\n\r\n"
      })
  void executesNothingBehindARefusedRequest(String refused) throws IOException {
    for (String first : List.of("", GOOD)) {
      handled.clear();

      String answers = say(10_000, first, refused, POST, POST);

      assertThat(answers).contains("HTTP/1.1 4").contains("/problems/").endsWith("}");
      assertThat(answers.split("HTTP/1.1 ", -1)).hasSize(first.isEmpty() ? 2 : 3);
      assertThat(handled).doesNotContain("POST abc");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "100000002\r\nhi\r\n0\r\n\r\n",
        "2\r\nhi\r\n8000000000000002\r\nhi\r\n0\r\n\r\n",
        "0000000000000000100000000\r\n\r\n",
        "zz\r\nhi\r\n0\r\n\r\n",
        "-1\r\nhi\r\n0\r\n\r\n",
        "2\r\nhi!0\r\n\r\n",
        "2\r\nhi\r\n;\r\n0\r\n\r\n"
      })
  void answersAMalformedChunk(String chunks) throws IOException {
    for (int part : List.of(1, 10_000)) {
      handled.clear();

      assertThat(say(part, CHUNKED, chunks, POST))
          .startsWith("HTTP/1.1 400")
          .contains("connection: close", "/problems/bad-request")
          .endsWith("}");
      assertThat(handled).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 7, 1000})
  void readsGoodChunksInPartsOfAnySize(int part) throws IOException {
    String chunks =
        "0000000000000003\r\nabc\r\nA;x=y\r\n0123456789\r\n0\r\nabcdefabcdef: x\r\n\r\n";

    assertThat(say(part, CHUNKED, chunks, CHUNKED, chunks, last())).endsWith("fine");
    assertThat(handled).containsExactly("POST abc0123456789", "POST abc0123456789", "GET ");
  }

  @ParameterizedTest
  @CsvSource({
    "505, 'GET / HTTP/2.0\r\nHost: a\r\n\r\n'",
    "505, 'GET / HTTP/1.2\r\nHost: a\r\n\r\n'",
    "505, 'GET / HTTP/0.9\r\nHost: a\r\n\r\n'",
    "400, 'GET / HTTP/01.1\r\nHost: a\r\n\r\n'",
    "400, 'GET / http/1.1\r\nHost: a\r\n\r\n'",
    "400, 'GET / FTP/1.1\r\nHost: a\r\n\r\n'",
    "400, 'GET / HTTP/1.1\r\n: a\r\nHost: a\r\n\r\n'",
    "400, 'GET / HTTP/1.1\r\nHost: a\r\nX : a\r\n\r\n'",
    "400, 'GET / HTTP/1.1\r\nHost: a\r\nX(y): a\r\n\r\n'",
    "400, 'GET / HTTP/1.1\r\n Transfer-Encoding: chunked\r\nHost: a\r\n\r\n'",
    "400, 'GET / HTTP/1.1\r\nHost: a\r\nnocolon\r\n\r\n'",
  })
  void refusesVersionsAndHeaderNamesThatAreNone(int status, String request) throws IOException {
    assertThat(say(1000, request)).startsWith("HTTP/1.1 " + status).contains("/problems/");
    assertThat(handled).isEmpty();
  }

  /** The answer is read though the client sends much more than the server wants. */
  @Test
  void theAnswerToARefusedRequestReachesAClientThatGoesOnSending() throws IOException {
    String head = "POST /refused HTTP/1.1\r\nHost: a\r\nContent-Length: 4000000\r\n\r\n";

    assertThat(say(1_000_000, head, "x".repeat(4_000_000))).startsWith("HTTP/1.1 415");
  }

  @Test
  void isAsStrictOnANativeTransport() throws IOException {
    Vertx other =
        new VertxBuilder()
            .findTransport(new JDKTransport() {})
            .serviceProviders(List.of(new StrictServer(this::limits)))
            .init()
            .vertx();
    try {
      start(other);

      assertThat(say(1000, "hello\r\n\r\n")).contains("/problems/");
      assertThat(say(1000, POST, last())).contains("fineabc");
    } finally {
      other.close().toCompletionStage().toCompletableFuture().join();
    }
  }

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

  /** Each byte in time, and all of them never. */
  @ParameterizedTest
  @ValueSource(strings = {"G", "GET / HTTP/1.1\r\nHost: a\r\n", "PRI * HTT"})
  void closesAConnectionWhoseHeadersDoNotComeToTheirEnd(String begun) throws IOException {
    headerTimeout = Duration.ofMillis(300);
    start(vertx);

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
      try {
        send(socket, part, String.join("", requests));
      } catch (SocketException e) {
        // The server has closed the connection; what it answered before is read below.
      }
      return new String(socket.getInputStream().readAllBytes(), ISO_8859_1);
    }
  }

  private static void send(Socket socket, int part, String all) throws IOException {
    for (int i = 0; i < all.length(); i += part) {
      String next = all.substring(i, Math.min(all.length(), i + part));
      socket.getOutputStream().write(next.getBytes(ISO_8859_1));
    }
  }

  private static String readUntil(Socket socket, String expected) throws IOException {
    Pattern pattern = Pattern.compile(expected, Pattern.DOTALL);
    StringBuilder answers = new StringBuilder();
    while (!pattern.matcher(answers).find()) {
      int next = socket.getInputStream().read();
      assertThat(next).as("closed after %s", answers).isNotNegative();
      answers.append((char) next);
    }
    return answers.toString();
  }

  private Socket connect() throws IOException {
    Socket socket = new Socket("localhost", server.actualPort());
    socket.setSoTimeout(PATIENCE_MS);
    socket.setTcpNoDelay(true);
    return socket;
  }
}
