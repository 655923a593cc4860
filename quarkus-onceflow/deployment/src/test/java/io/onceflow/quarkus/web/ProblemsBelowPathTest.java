package io.onceflow.quarkus.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.quarkus.trip.TripApplication;
import io.quarkus.test.QuarkusUnitTest;
import io.quarkus.test.common.http.TestHTTPResource;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * The type of a problem is the address of its page, also where the application has a path. Before,
 * all but the guard's were addresses of an application at the root.
 */
@Tag("nightly")
class ProblemsBelowPathTest {

  private static final String HOME = "/shop/v1/problems/";

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
  void whatCannotBeParsedIsFoundWhereTheAnswerSaysSo() throws IOException {
    try (Socket socket = new Socket(application.getHost(), application.getPort())) {
      socket.setSoTimeout(20_000);
      socket.getOutputStream().write("hello\r\n\r\n".getBytes(StandardCharsets.ISO_8859_1));

      assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1))
          .contains("\"type\":\"" + HOME + "bad-request\"");
    }
  }
}
