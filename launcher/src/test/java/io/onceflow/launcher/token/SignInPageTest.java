package io.onceflow.launcher.token;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class SignInPageTest {

  private SignInPage page;

  @BeforeEach
  void serve() throws IOException {
    page =
        new SignInPage(
            Tokens.newKeys().getPrivate(),
            URI.create("http://localhost:8080"),
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
  }

  @AfterEach
  void close() {
    page.close();
  }

  @Test
  void linksToTheConsoleInBothRoles() throws IOException {
    assertThat(get("/", "localhost:8085")).contains("200 OK", "/operator", "/viewer");
  }

  @Test
  void leadsToTheConsoleWithATokenOfTheRole() throws IOException {
    assertThat(rolesOf(get("/operator", "localhost:8085"))).contains("\"operator\"");
    assertThat(rolesOf(get("/viewer", "127.0.0.1:8085")))
        .contains("\"viewer\"")
        .doesNotContain("operator\"");
  }

  /** A site could have its own name mean this machine, and then read the answer. */
  @Test
  void answersOnlyUnderThisMachinesName() throws IOException {
    assertThat(get("/operator", "evil.example:8085")).contains("421").doesNotContain("token");
  }

  private static String rolesOf(String answer) {
    String start = "Location: http://localhost:8080/console/sign-in#token=";
    assertThat(answer).contains(start);
    String token = answer.substring(answer.indexOf(start) + start.length()).split("\\s")[0];
    return new String(Base64.getUrlDecoder().decode(token.split("\\.")[1]), StandardCharsets.UTF_8);
  }

  /** By a socket, since the JDK's client sends no Host of one's own. */
  private String get(String path, String host) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), page.port())) {
      socket.setSoTimeout(10_000);
      String request =
          "GET %s HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n\r\n".formatted(path, host);
      socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
