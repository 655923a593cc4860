package io.onceflow.quarkus.web;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.onceflow.quarkus.parked.Requests;
import io.onceflow.quarkus.parked.SignedIn;
import io.onceflow.quarkus.trip.TripApplication;
import io.onceflow.web.internal.http.ExplainedProblem;
import io.quarkus.test.QuarkusUnitTest;
import io.quarkus.test.common.http.TestHTTPResource;
import jakarta.annotation.security.PermitAll;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * The type of a problem is the address of its page, also where the application has a path. Before,
 * all but the guard's were addresses of an application at the root.
 */
class ProblemsBelowPathTest {

  private static final String HOME = "/shop/v1/problems/";

  @RegisterExtension
  static final QuarkusUnitTest APPLICATION =
      TripApplication.on("payments")
          .overrideConfigKey("quarkus.http.test-port", "0")
          .overrideConfigKey("quarkus.http.root-path", "/shop")
          .overrideConfigKey("quarkus.rest.path", "/v1")
          .withApplicationRoot(
              jar ->
                  jar.addClasses(
                      Notes.class,
                      Late.class,
                      Requests.class,
                      SignedIn.class,
                      TripApplication.class));

  /** Refuses with a problem of its own, and has its page. */
  @Path("/")
  @PermitAll
  public static class Late {

    private static final ExplainedProblem TOO_LATE =
        new ExplainedProblem("too-late", "It is too late", "The trip has begun.", "Nothing.");

    @GET
    @Path("late")
    public String late() {
      throw TOO_LATE.because("too late");
    }

    @GET
    @Path("problems/too-late")
    public String page() {
      return TOO_LATE.page();
    }
  }

  @TestHTTPResource("/")
  URI application;

  @Test
  void aTypeOfItsOwnIsFoundWhereTheAnswerSaysSo() throws Exception {
    HttpResponse<String> refused = requests().get("/shop/v1/late", null);

    assertThat(pageOf(refused)).startsWith("It is too late (409)");
    assertThat(refused.headers().firstValue("Link"))
        .hasValue("<" + HOME + "too-late>; rel=\"describedby\"");
  }

  @Test
  void aStatusIsFoundWhereTheAnswerSaysSo() throws Exception {
    assertThat(pageOf(requests().get("/shop/v1/parked-messages", null))).startsWith("Unauthorized");
    assertThat(pageOf(requests().get("/shop/v1/parked-messages", "customer")))
        .startsWith("Forbidden");
    assertThat(pageOf(requests().get("/shop/v1/parked-messages/" + UUID.randomUUID(), "operator")))
        .startsWith("Not Found");
    assertThat(pageOf(requests().send("POST", "/shop/v1/notes", null, "{\"priority\":\"1\"}")))
        .startsWith("Bad Request");
    assertThat(pageOf(requests().send("POST", "/shop/v1/notes", null, " ".repeat(1_100_000))))
        .startsWith("Request Entity Too Large");
  }

  @Test
  void whatCannotBeParsedIsFoundWhereTheAnswerSaysSo() throws IOException {
    try (Socket socket = new Socket(application.getHost(), application.getPort())) {
      socket.setSoTimeout(20_000);
      socket.getOutputStream().write("hello\r\n\r\n".getBytes(StandardCharsets.ISO_8859_1));

      assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1))
          .contains("\"type\":\"" + HOME + "bad-request\"");
    }
  }

  /** What the page says that the type of an answer leads to. */
  private String pageOf(HttpResponse<String> refused) throws IOException, InterruptedException {
    String type = new ObjectMapper().readTree(refused.body()).path("type").asText();
    assertThat(type).startsWith(HOME);
    HttpResponse<String> page = requests().get(type, null);
    assertThat(page.statusCode()).as(type).isEqualTo(200);
    return page.body();
  }

  private Requests requests() {
    return new Requests(application);
  }
}
