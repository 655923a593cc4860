package io.onceflow.redis.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.onceflow.idempotency.Wire;
import io.onceflow.launcher.testing.TestServers;
import io.vertx.core.Vertx;
import io.vertx.core.net.NetClientOptions;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Redis;
import io.vertx.redis.client.RedisOptions;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A Redis that vanishes leaves connections behind that look alive and answer nothing. The client
 * gives them up by {@code quarkus.redis.tcp.read-idle-timeout}, for which the module has a default.
 */
@Timeout(60)
@Tag("nightly")
class RedisVanishesTest {

  private final Vertx vertx = Vertx.vertx();
  private Wire wire;

  @BeforeEach
  void lay() throws IOException {
    wire = new Wire(URI.create(TestServers.shared().redisUrl()));
  }

  @AfterEach
  void takeUp() {
    wire.close();
    vertx.close().toCompletionStage().toCompletableFuture().join();
  }

  @Test
  void isConnectedToAnewWhenItIsBack() {
    RedisScripts redis = client(1);
    await().until(() -> answers(redis));
    wire.cut();
    assertThat(answers(redis)).isFalse();
    wire.mend();
    await().until(() -> answers(redis));
  }

  /** Why there is a default. */
  @Test
  void wouldNotBeConnectedToOtherwise() {
    RedisScripts redis = client(0);
    await().until(() -> answers(redis));
    wire.cut();
    assertThat(answers(redis)).isFalse();
    wire.mend();
    await().during(Duration.ofSeconds(3)).until(() -> !answers(redis));
  }

  private RedisScripts client(int readIdleSeconds) {
    RedisOptions options =
        new RedisOptions()
            .setConnectionString("redis://localhost:" + wire.port())
            .setMaxPoolSize(1)
            .setNetClientOptions(new NetClientOptions().setReadIdleTimeout(readIdleSeconds));
    return new RedisScripts(Redis.createClient(vertx, options), Duration.ofMillis(300));
  }

  private static boolean answers(RedisScripts redis) {
    try {
      return redis.send(Command.PING) != null;
    } catch (RedisUnusable e) {
      return false;
    }
  }
}
