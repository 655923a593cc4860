package io.onceflow.redis.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.idempotency.Caller.Answer;
import io.onceflow.idempotency.GuardedThings;
import io.onceflow.launcher.testing.ServersResource;
import io.quarkus.arc.InjectableInstance;
import io.quarkus.test.common.ResourceArg;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.vertx.redis.client.Redis;
import jakarta.inject.Inject;
import java.time.Duration;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.junit.jupiter.api.Test;

/** The store postgres needs no Redis, and none is looked for. */
@QuarkusTest
@WithTestResource(
    value = ServersResource.class,
    initArgs = @ResourceArg(name = "database", value = "orders"))
class WithoutRedisTest extends GuardedThings {

  @Inject InjectableInstance<Redis> redis;

  @ConfigProperty(name = "quarkus.redis.health.enabled")
  boolean isRedisLookedAfter;

  @ConfigProperty(name = "quarkus.redis.devservices.enabled")
  boolean isRedisStartedForDevelopers;

  @ConfigProperty(name = "quarkus.redis.tcp.read-idle-timeout")
  Duration readIdleTimeout;

  @Test
  void startsAndGuardsWithoutAClient() {
    assertThat(redis.getHandle().getBean().isActive()).isFalse();
    assertThat(ada.post("/things", key, body).status()).isEqualTo(201);
    assertThat(ada.post("/things", key, body).isReplay()).isTrue();
  }

  @Test
  void isReadyWithoutIt() {
    Answer ready = ada.send(ada.request("/q/health/ready", "").GET());
    assertThat(ready.status()).isEqualTo(200);
    assertThat(ready.text()).doesNotContain("Redis");
  }

  /** The module's own defaults, which reach the application by its jar. */
  @Test
  void asksForNoHealthCheckAndNoContainer() {
    assertThat(isRedisLookedAfter).isFalse();
    assertThat(isRedisStartedForDevelopers).isFalse();
  }

  @Test
  void wouldGiveUpARedisThatVanished() {
    assertThat(readIdleTimeout).isBetween(Duration.ofSeconds(1), Duration.ofMinutes(1));
  }
}
