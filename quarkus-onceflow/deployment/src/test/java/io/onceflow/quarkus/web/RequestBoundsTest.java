package io.onceflow.quarkus.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.onceflow.quarkus.trip.TripApplication;
import io.quarkus.test.QuarkusUnitTest;
import io.quarkus.test.common.http.TestHTTPResource;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The requests of an application are bounded and read strictly because it has the extension. */
@Tag("nightly")
class RequestBoundsTest {

  @RegisterExtension
  static final QuarkusUnitTest APPLICATION =
      TripApplication.on("payments")
          .overrideConfigKey("quarkus.http.test-port", "0")
          .setLogRecordPredicate(line -> line.getMessage().startsWith("Failed to index"))
          .assertLogRecords(lines -> assertThat(lines).isEmpty())
          .withApplicationRoot(jar -> jar.addClasses(Notes.class, TripApplication.class));

  private static final HttpClient CLIENT = HttpClient.newHttpClient();

  @TestHTTPResource("/")
  URI application;

  static Stream<Arguments> unreadableNotes() {
    return Stream.of(
        arguments("{\"lines\": [], \"priority\": \"1\"}", "priority", "must be an integer number"),
        arguments("{\"lines\": [], \"priority\": 1.5}", "priority", "must be an integer number"),
        arguments("{\"lines\": [1], \"priority\": 1}", "lines[0]", "must be a string"),
        arguments(
            "{\"lines\": [\"a\", \"b\", \"c\"], \"priority\": 1}",
            "lines",
            "may have at most 2 elements"));
  }

  @ParameterizedTest
  @MethodSource("unreadableNotes")
  void aFieldThatCannotBeReadIsNamed(String note, String field, String message) throws Exception {
    HttpResponse<String> refused = post("/notes", "application/json", note);

    assertThat(refused.statusCode()).as(refused.body()).isEqualTo(400);
    assertThat(refused.body())
        .contains("\"type\":\"/problems/bad-request\"")
        .contains("\"field\":\"%s\"".formatted(field), "\"message\":\"%s\"".formatted(message));
  }

  @Test
  void aQueryParameterThatCannotBeReadIsNamed() throws Exception {
    HttpResponse<String> refused = send(request("/notes?id=42").GET());

    assertThat(refused.statusCode()).isEqualTo(400);
    assertThat(refused.body()).contains("\"field\":\"id\"", "\"message\":\"must be a UUID\"");
  }

  @Test
  void aGoodRequestIsAnsweredForItsCallerAlone() throws Exception {
    UUID id = UUID.randomUUID();
    HttpResponse<String> read = send(request("/notes?id=" + id).GET());

    assertThat(read.body()).isEqualTo(id.toString());
    assertThat(read.headers().firstValue("Cache-Control")).hasValue("no-store");
  }

  @Test
  void aBodyIsJsonUnlessTheResourceConsumesAnotherType() throws Exception {
    assertThat(post("/notes", "application/json", "{\"lines\": [], \"priority\": 1}").statusCode())
        .isEqualTo(200);
    assertThat(post("/notes", "text/csv", "a,b").statusCode()).isEqualTo(415);
    assertThat(post("/notes/text", "text/plain", "abc").body()).isEqualTo("3");
  }

  @Test
  void aBodyOfMoreThanAMegabyteIsRefused() throws Exception {
    HttpResponse<String> refused = post("/notes", "application/json", " ".repeat(1_100_000));

    assertThat(refused.statusCode()).isEqualTo(413);
    assertThat(refused.body()).contains("\"status\":413");
  }

  @Test
  void aMethodThatTheResourceDoesNotHaveIsAnsweredWithThoseItHas() throws Exception {
    HttpResponse<String> refused = send(request("/notes").DELETE());

    assertThat(refused.statusCode()).isEqualTo(405);
    assertThat(refused.headers().firstValue("Allow")).hasValue("GET, HEAD, OPTIONS, POST");
  }

  /** The HTTP server of Vert.x would take the chunks. */
  @Test
  void aRequestThatStatesItsLengthInTwoWaysIsRefused() throws IOException {
    try (Socket socket = new Socket(application.getHost(), application.getPort())) {
      socket.setSoTimeout(20_000);
      socket
          .getOutputStream()
          .write(
              "POST /notes HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
                  .getBytes(StandardCharsets.ISO_8859_1));

      assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1))
          .startsWith("HTTP/1.1 400")
          .contains("application/problem+json");
    }
  }

  private HttpResponse<String> post(String path, String type, String body) throws Exception {
    return send(request(path).header("Content-Type", type).POST(BodyPublishers.ofString(body)));
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(application.resolve(path));
  }

  private static HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
    return CLIENT.send(request.build(), BodyHandlers.ofString());
  }
}
