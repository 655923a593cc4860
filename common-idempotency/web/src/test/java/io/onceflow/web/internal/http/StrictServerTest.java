package io.onceflow.web.internal.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Vertx;
import io.vertx.core.impl.VertxBuilder;
import io.vertx.core.impl.transports.JDKTransport;
import java.io.IOException;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How HTTP/1 is read. */
class StrictServerTest extends StrictConnections {

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

  /** Before, all of them were executed, and 100 MB of answers lay in memory. */
  @Test
  void executesNoMoreForAClientThatDoesNotReadItsAnswers() throws IOException {
    int many = 5_000;
    try (Socket socket = connect()) {
      send(socket, 1_000_000, "GET /large HTTP/1.1\r\nHost: a\r\n\r\n".repeat(many));

      Awaitility.await()
          .atMost(Duration.ofMillis(PATIENCE_MS))
          .until(() -> largeTo != null && !largeTo.isWritable() && !largeTo.config().isAutoRead());
      assertThat(handled).hasSizeLessThan(many / 2);
      assertThat(largeTo.unsafe().outboundBuffer().totalPendingWriteBytes())
          .isLessThan(100_000 + LARGE.length());

      byte[] some = new byte[LARGE.length()];
      while (handled.size() < many) {
        assertThat(socket.getInputStream().read(some)).isPositive();
      }
    }
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
}
