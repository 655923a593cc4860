package io.onceflow.redis.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.micrometer.core.instrument.MeterRegistry;
import io.onceflow.core.IdempotencyKey;
import io.onceflow.core.internal.ScopedKey;
import io.onceflow.idempotency.GuardedThings;
import io.onceflow.launcher.testing.ServersResource;
import io.quarkus.arc.InjectableInstance;
import io.quarkus.redis.client.RedisClientName;
import io.quarkus.test.common.ResourceArg;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.QuarkusTestProfile;
import io.quarkus.test.junit.TestProfile;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Redis;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.Map;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/**
 * The settings of docs/operations/security.md for TLS to Redis, against the server that Compose and
 * Kubernetes start. Redis comes to the tests as a binary for Linux with TLS.
 */
@QuarkusTest
@TestProfile(RedisTlsTest.Hybrid.class)
@WithTestResource(
    value = ServersResource.class,
    initArgs = @ResourceArg(name = "database", value = "orders"))
@WithTestResource(RedisTlsServers.class)
@EnabledOnOs(OS.LINUX)
@Timeout(120)
@Tag("nightly")
class RedisTlsTest extends GuardedThings {

  /** The store under test. */
  public static class Hybrid implements QuarkusTestProfile {

    @Override
    public Map<String, String> getConfigOverrides() {
      // Nothing is passed by because a machine is busy.
      return Map.of(
          "onceflow.idempotency.store", "hybrid", "onceflow.idempotency.redis.timeout", "PT20S");
    }
  }

  private static final Duration PATIENCE = Duration.ofSeconds(10);

  @Inject RedisScripts own;
  @Inject MeterRegistry metrics;

  @Inject
  @RedisClientName("misnamed")
  InjectableInstance<Redis> misnamed;

  @Inject
  @RedisClientName("stranger")
  InjectableInstance<Redis> stranger;

  @Inject
  @RedisClientName("acquainted")
  InjectableInstance<Redis> acquainted;

  @Test
  void theStoreKeepsAnswersInARedisThatListensByTlsAlone() throws RedisUnusable {
    assertThat(ada.post("/things", key, body).status()).isEqualTo(201);
    assertThat(ada.post("/things", key, body).isReplay()).isTrue();

    String entry = RedisKeys.entry(new ScopedKey("ada", new IdempotencyKey(key)));
    assertThat(own.send(Command.HGET, entry, "response_status")).hasToString("201");
    assertThat(metrics.counter(RedisCircuitBreaker.FAILURES).count())
        .as("Redis was not passed by")
        .isZero();
  }

  @Test
  void aServerWithACertificateOfAnotherAuthorityIsRefused() throws RedisUnusable {
    assertThat(ping(acquainted)).as("the server answers those who trust it").isEqualTo("PONG");

    assertIsRefused(stranger);
  }

  @Test
  void aServerUnderAnotherNameThanItsCertificatesIsRefused() {
    assertIsRefused(misnamed);
  }

  private static void assertIsRefused(InjectableInstance<Redis> client) {
    assertThatExceptionOfType(RedisUnusable.class)
        .isThrownBy(() -> ping(client))
        .withCauseInstanceOf(SSLHandshakeException.class);
  }

  private static String ping(InjectableInstance<Redis> client) throws RedisUnusable {
    return String.valueOf(new RedisScripts(client.get(), PATIENCE).send(Command.PING));
  }
}
