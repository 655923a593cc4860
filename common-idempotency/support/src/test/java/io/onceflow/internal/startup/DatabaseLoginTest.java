package io.onceflow.internal.startup;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import org.junit.jupiter.api.Test;

class DatabaseLoginTest {

  /** A host that is not there has refused no user: an operator would look at passwords. */
  @Test
  void aServerThatIsNotReachedRefusesNoUser() throws IOException {
    assertThat(new DatabaseLogin(url(freePort()), "payments", "secret", "").refusal())
        .get()
        .asString()
        .startsWith("cannot connect to the database at postgresql://localhost:")
        .doesNotContain("refuses user");
    assertThat(
            new DatabaseLogin("jdbc:postgresql://no-such-host.invalid/p", "payments", "", "")
                .refusal())
        .get()
        .asString()
        .startsWith("cannot connect to the database at postgresql://no-such-host.invalid/p: ");
  }

  private static String url(int port) {
    return "jdbc:postgresql://localhost:%d/payments".formatted(port);
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }
}
