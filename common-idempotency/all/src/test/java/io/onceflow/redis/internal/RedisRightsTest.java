package io.onceflow.redis.internal;

import static io.onceflow.idempotency.Idempotent.Mode.LEASED;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.onceflow.core.IdempotencyKey;
import io.onceflow.core.internal.Fingerprint;
import io.onceflow.core.internal.ScopedKey;
import io.onceflow.idempotency.internal.store.Claim;
import io.onceflow.idempotency.internal.store.ClaimRequest;
import io.onceflow.idempotency.internal.store.ClaimTakenOver;
import io.onceflow.idempotency.internal.store.CompletedResponse;
import io.onceflow.idempotency.internal.store.Ownership;
import io.onceflow.idempotency.internal.store.StoredResponse;
import io.onceflow.launcher.servers.EmbeddedRedis;
import io.onceflow.launcher.servers.FreePorts;
import io.onceflow.test.stores.StoreUnderTest;
import io.vertx.core.Vertx;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Redis;
import io.vertx.redis.client.RedisOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The rights that the launcher, Compose and Kubernetes give the order service are enough. */
@Timeout(60)
@Tag("nightly")
class RedisRightsTest {

  private static final Fingerprint PRINT = Fingerprint.of("the request".getBytes(UTF_8));
  private static final Duration LEASE = Duration.ofMillis(1);

  private final Vertx vertx = Vertx.vertx();
  private final ScopedKey key = new ScopedKey("ada", new IdempotencyKey("key-1"));
  private final ClaimRequest request =
      new ClaimRequest(key, PRINT, "operation", LEASED, LEASE, Duration.ofHours(1));

  @TempDir Path home;
  private EmbeddedRedis server;
  private RedisScripts redis;

  @BeforeEach
  void start() throws Exception {
    server = EmbeddedRedis.start(home, FreePorts.next(), "a-password");
    RedisOptions options =
        new RedisOptions()
            .setConnectionString("redis://localhost:" + server.port())
            .setPassword("a-password");
    redis = new RedisScripts(Redis.createClient(vertx, options), Duration.ofSeconds(5));
  }

  @AfterEach
  void stop() {
    vertx.close().toCompletionStage().toCompletableFuture().join();
    server.close();
  }

  @Test
  void allThatTheStoreInRedisAloneDoes() {
    RedisStore store =
        new RedisStore(redis, new RedisLeases(redis, TestRedis.INTEGRITY), TestRedis.INTEGRITY);
    Ownership first = StoreUnderTest.won(store.claim(request));
    store.accept(first);
    List<ClaimTakenOver> swept = await().until(() -> sweep(store), it -> !it.isEmpty());
    assertThat(swept).singleElement().matches(ClaimTakenOver::isAccepted, "accepted");
    Ownership own = swept.getFirst().ownership();
    assertThat(store.renew(List.of(own))).isEmpty();
    store.committed(own, store.complete(own, new StoredResponse(201, Map.of(), new byte[1])));
    assertThat(store.claim(request)).isInstanceOf(Claim.Done.class);
    assertThat(store.find(key)).isPresent();
    store.release(own);
  }

  /** Nothing until the lease has ended, which may take a millisecond. */
  private static List<ClaimTakenOver> sweep(RedisStore store) {
    return store.takeOverAbandoned(Set.of("operation"), Duration.ZERO, Duration.ofMinutes(1), 10);
  }

  @Test
  void allThatIsDoneInFrontOfPostgres() {
    RedisCache front =
        new RedisCache(redis, HybridProcess.breaker(), TestRedis.INTEGRITY, HybridProcess.CONFIG);
    RedisCache.Look look = front.look(request);
    assertThat(look).isInstanceOf(RedisCache.Look.Marked.class);
    String marker = ((RedisCache.Look.Marked) look).marker();
    front.markOn(request, marker);
    front.unmark(request, marker);
    CompletedResponse kept =
        new CompletedResponse(
            new StoredResponse(201, Map.of(), new byte[1]),
            1,
            java.time.Instant.now().plusSeconds(60));
    front.cache(request, kept);
    assertThat(front.findCached(request)).containsInstanceOf(Claim.Done.class);
  }

  @Test
  void andNoMore() {
    assertThatThrownBy(() -> redis.send(Command.FLUSHALL)).hasMessageContaining("NOPERM");
    assertThatThrownBy(() -> redis.send(Command.HSET, "other", "field", "value"))
        .hasMessageContaining("NOPERM");
  }
}
