package io.onceflow.quarkus.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.quarkus.trip.TripApplication;
import io.quarkus.test.QuarkusUnitTest;
import io.quarkus.test.common.http.TestHTTPResource;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * An application that reads bodies as streams can have requests passed on before these are there.
 */
@Tag("nightly")
class StreamedBodiesTest {

  @RegisterExtension
  static final QuarkusUnitTest APPLICATION =
      TripApplication.on("payments")
          .overrideConfigKey("quarkus.http.test-port", "0")
          .overrideRuntimeConfigKey("onceflow.http.body.received", "false")
          .withApplicationRoot(jar -> jar.addClasses(Notes.class, TripApplication.class));

  @TestHTTPResource("/")
  URI application;

  @Test
  void aResourceMayAnswerBeforeTheBodyIsComplete() throws IOException {
    try (Socket socket = new Socket(application.getHost(), application.getPort())) {
      socket.setSoTimeout(20_000);
      socket
          .getOutputStream()
          .write(
              "POST /notes/first-byte HTTP/1.1\r\nHost: a\r\nContent-Type: text/plain\r\nContent-Length: 9\r\n\r\nA"
                  .getBytes(StandardCharsets.ISO_8859_1));

      assertThat(
              new BufferedReader(
                      new InputStreamReader(socket.getInputStream(), StandardCharsets.ISO_8859_1))
                  .readLine())
          .isEqualTo("HTTP/1.1 200 OK");
    }
  }
}
