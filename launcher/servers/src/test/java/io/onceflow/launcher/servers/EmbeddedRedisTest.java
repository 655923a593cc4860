package io.onceflow.launcher.servers;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class EmbeddedRedisTest {

  @TempDir Path home;

  @Test
  void answersFromItsStartToItsEnd() throws IOException {
    int port = FreePorts.next();
    try (EmbeddedRedis redis = EmbeddedRedis.start(home, port)) {
      assertThat(redis.port()).isEqualTo(port);
      assertThat(redis.process().isAlive()).isTrue();
      assertThat(EmbeddedRedis.whoAnswers(port)).isEqualTo("" + redis.process().pid());
    }
    assertThat(EmbeddedRedis.whoAnswers(port)).isEmpty();
  }

  @Test
  void startsAgainInTheSamePlace() throws IOException {
    int port = FreePorts.next();
    EmbeddedRedis.start(home, port).close();
    try (EmbeddedRedis again = EmbeddedRedis.start(home, port)) {
      assertThat(EmbeddedRedis.whoAnswers(port)).isEqualTo("" + again.process().pid());
    }
  }

  @Test
  void saysWhyItDoesNotStart() throws IOException {
    int port = FreePorts.next();
    try (EmbeddedRedis first = EmbeddedRedis.start(home.resolve("first"), port)) {
      assertThatIOException()
          .isThrownBy(() -> EmbeddedRedis.start(home.resolve("second"), first.port()))
          .withMessageContaining("Address already in use");
    }
  }

  /** Before, the launcher's Redis took commands from every program of the machine. */
  @Test
  void withAPasswordItTakesTheGuardsCommandsOnTheGuardsKeysAlone() throws IOException {
    int port = FreePorts.next();
    try (EmbeddedRedis redis = EmbeddedRedis.start(home, port, "a-password")) {
      assertThat(said(redis, "HSET onceflow:idempotency:1:a:b status COMPLETED"))
          .contains("NOAUTH Authentication required");
      String login = "AUTH a-password\r\n";
      assertThat(said(redis, login + "HSET onceflow:idempotency:1:a:b status COMPLETED"))
          .endsWith(":1\r\n+OK\r\n");
      assertThat(said(redis, login + "HSET other status COMPLETED")).contains("NOPERM");
      assertThat(said(redis, login + "FLUSHALL")).contains("NOPERM");
      assertThat(said(redis, login + "CONFIG GET dir")).contains("NOPERM");
      assertThat(said(redis, login + "KEYS *")).contains("NOPERM");
    }
  }

  /** Compose and Kubernetes start theirs by a script. */
  @Test
  void theScriptForContainersGivesTheSameRights() throws IOException {
    assertThat(Files.readString(Path.of("../../deploy/redis/start.sh")))
        .contains(EmbeddedRedis.RIGHTS);
  }

  private static String said(EmbeddedRedis redis, String commands) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), redis.port())) {
      socket.setSoTimeout(10_000);
      socket.getOutputStream().write((commands + "\r\nQUIT\r\n").getBytes(US_ASCII));
      return new String(socket.getInputStream().readAllBytes(), US_ASCII);
    }
  }
}
