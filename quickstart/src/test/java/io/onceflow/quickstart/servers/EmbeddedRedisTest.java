package io.onceflow.quickstart.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.IOException;
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
}
