package io.onceflow.quarkus.web;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
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
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The type of a problem is the address of its page, also where the application has a path. Before,
 * all but the guard's were addresses of an application at the root.
 */
@Tag("nightly")
class ProblemsBelowPathTest {

  private static final String HOME = "/shop/v1/problems/";

  private static final HttpClient CLIENT = HttpClient.newHttpClient();

  @RegisterExtension
  static final QuarkusUnitTest APPLICATION =
      TripApplication.on("payments")
          .overrideConfigKey("quarkus.http.test-port", "0")
          .overrideConfigKey("quarkus.http.root-path", "/shop")
          .overrideConfigKey("quarkus.rest.path", "/v1")
          .withApplicationRoot(jar -> jar.addClasses(Notes.class, TripApplication.class));

  @TestHTTPResource("/")
  URI application;

  @Test
  void whatCannotBeParsedIsFoundWhereTheAnswerSaysSo() throws Exception {
    try (Socket socket = new Socket(application.getHost(), application.getPort())) {
      socket.setSoTimeout(20_000);
      socket.getOutputStream().write("hello\r\n\r\n".getBytes(StandardCharsets.ISO_8859_1));

      assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1))
          .contains("\"type\":\"" + HOME + "bad-request\"");
    }
    assertThat(get(HOME + "bad-request").body()).startsWith("Bad Request (400)\n");
  }

  @ParameterizedTest
  @ValueSource(strings = {"/shop/v1/nothing", "/shop/v1/notes?id=42"})
  void theTypeOfARefusalIsAPage(String path) throws Exception {
    HttpResponse<String> refusal = get(path);

    String type = new ObjectMapper().readTree(refusal.body()).path("type").asText();
    assertThat(type).as(refusal.body()).startsWith(HOME);
    assertThat(get(type).statusCode()).as(type).isEqualTo(200);
  }

  /** Before, that of all but the guard's refusals was the path below that of the application. */
  @ParameterizedTest
  @CsvSource({
    "GET,    /shop/v1/nothing",
    "GET,    /shop/v1/notes?id=42",
    "DELETE, /shop/v1/notes",
    "POST,   /shop/v1/notes",
    "GET,    /shop/v1/no%20thing+more",
    "GET,    /shop/v1/sagas"
  })
  void theInstanceOfARefusalIsTheWholePathOfItsRequest(String method, String path)
      throws Exception {
    HttpResponse<String> refusal =
        CLIENT.send(
            HttpRequest.newBuilder(application.resolve(path))
                .header("Content-Type", "application/json")
                .method(method, BodyPublishers.ofString("{\"priority\": \"high\"}"))
                .build(),
            BodyHandlers.ofString());

    assertThat(new ObjectMapper().readTree(refusal.body()).path("instance").asText())
        .as(refusal.body())
        .isEqualTo(path.replaceFirst("[?].*", ""));
  }

  /** Over HTTP/2 before, nothing was found below a path. */
  @ParameterizedTest
  @ValueSource(strings = {"", "idempotency-key-reused", "not-found", "saga-ended"})
  void everyPageIsThere(String slug) throws Exception {
    HttpResponse<String> page = get(HOME + slug);

    assertThat(page.statusCode()).as(page.body()).isEqualTo(200);
  }

  private HttpResponse<String> get(String path) throws IOException, InterruptedException {
    return CLIENT.send(
        HttpRequest.newBuilder(application.resolve(path)).build(), BodyHandlers.ofString());
  }
}
