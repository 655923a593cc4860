package io.onceflow.redis.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.MeterRegistry;
import io.onceflow.core.IdempotencyKey;
import io.onceflow.core.internal.ScopedKey;
import io.onceflow.idempotency.Caller.Answer;
import io.onceflow.idempotency.GuardedThings;
import io.onceflow.idempotency.RepeatingClients;
import io.onceflow.launcher.testing.ServersResource;
import io.quarkus.test.common.ResourceArg;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.QuarkusTestProfile;
import io.quarkus.test.junit.TestProfile;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Clients repeat their requests, each key from several of them at once, while Redis is stopped,
 * started, emptied and made to stand still. Nothing runs twice, and no client is told of a failure.
 */
@QuarkusTest
@TestProfile(HybridUnderLoadTest.Hybrid.class)
@WithTestResource(
    value = ServersResource.class,
    initArgs = {
      @ResourceArg(name = "database", value = "orders"),
      @ResourceArg(name = "redis", value = "true")
    })
@Timeout(120)
@Tag("nightly")
class HybridUnderLoadTest extends GuardedThings {

  /** The store under test. */
  public static class Hybrid implements QuarkusTestProfile {

    @Override
    public Map<String, String> getConfigOverrides() {
      return Map.of(
          "onceflow.idempotency.store", "hybrid",
          "onceflow.idempotency.redis.detour", "PT0.2S");
    }
  }

  private static final int CLIENTS = 16;

  @Inject MeterRegistry metrics;

  private final TestRedis redis = TestRedis.shared();

  @AfterEach
  void redisRuns() {
    TestRedis.start();
  }

  @Test
  void nothingRunsTwiceAndNobodyIsToldOfIt() throws Exception {
    try (RepeatingClients clients = new RepeatingClients(ada, runs, name, CLIENTS)) {
      clients.awaitMoreKeys(20);
      TestRedis.stop();
      clients.awaitMoreKeys(50);
      TestRedis.start();
      clients.awaitMoreKeys(50);
      redis.empty();
      clients.awaitMoreKeys(50);
      redis.standStillFor(Duration.ofSeconds(2));
      clients.awaitMoreKeys(50);
      redis.empty();
      TestRedis.stop();
      clients.awaitMoreKeys(20);
      TestRedis.start();
      clients.awaitMoreKeys(50);
      clients.stop();
      clients.assertEachRanOnceAndGotOneAnswer();
      assertThat(ORDERS.number("SELECT count(*) FROM thing WHERE name LIKE ?", name + "-%"))
          .isEqualTo(clients.keys());
    }
    assertThat(metrics.counter(RedisCircuitBreaker.FAILURES).count())
        .as("Redis was away")
        .isPositive();
    assertRedisAnswersAgain();
  }

  @Test
  void theServiceStaysReadyWithoutRedis() {
    TestRedis.stop();
    assertThat(ada.post("/things", key, body).status()).isEqualTo(201);
    assertThat(ada.post("/things", key, body).isReplay()).isTrue();
    assertThat(get("/q/health/ready")).isEqualTo(200);
  }

  /** No restart: the very next requests, after the circuit breaker closes. */
  private void assertRedisAnswersAgain() {
    ScopedKey mine = new ScopedKey("ada", new IdempotencyKey(key));
    await()
        .untilAsserted(
            () -> {
              Answer answer = ada.post("/things", key, body);
              assertThat(answer.status()).isIn(201, 409);
              assertThat(redis.hasAnswer(mine)).isTrue();
            });
    assertThat(metrics.get(RedisCircuitBreaker.OPEN).gauge().value()).isZero();
    assertThat(IntStream.range(0, 3).mapToObj(i -> ada.post("/things", key, body).isReplay()))
        .isEqualTo(List.of(true, true, true));
  }

  private int get(String path) {
    return ada.send(ada.request(path, "").GET()).status();
  }
}
