package io.onceflow.idempotency;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.onceflow.idempotency.Caller.Answer;
import io.onceflow.quickstart.testing.ServersResource;
import io.onceflow.quickstart.testing.TestServers;
import io.quarkus.test.common.ResourceArg;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.QuarkusTestProfile;
import io.quarkus.test.junit.TestProfile;
import io.vertx.redis.client.Command;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Redis in front of PostgreSQL comes and goes while clients send and repeat: nothing runs twice,
 * and nobody is told 5xx.
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
class HybridUnderLoadTest extends GuardedThings {

  /** Enough that some requests are on their way at any moment; the pool has five connections. */
  private static final int CLIENTS = 4;

  private static final int REPEATS = 3;

  public static class Hybrid implements QuarkusTestProfile {

    @Override
    public Map<String, String> getConfigOverrides() {
      return Map.of(
          "onceflow.idempotency.store", "hybrid",
          "onceflow.idempotency.redis.detour", "PT0.05S",
          "onceflow.idempotency.redis.timeout", "PT0.2S");
    }
  }

  private final AtomicBoolean isOver = new AtomicBoolean();
  private final AtomicInteger sent = new AtomicInteger();

  @AfterEach
  void startRedis() {
    TestServers.shared().startRedis();
  }

  /** Each line is one key: its name, and what its repeats were answered. */
  private record Sent(String name, List<Answer> answers) {}

  @Test
  void nothingRunsTwiceAndNobodyIsToldOfIt() throws Exception {
    try (ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<List<Sent>>> loads = new ArrayList<>();
      for (int i = 0; i < CLIENTS; i++) {
        loads.add(clients.submit(this::sendAndRepeat));
      }
      letRedisComeAndGo();
      isOver.set(true);
      for (Future<List<Sent>> load : loads) {
        load.get().forEach(this::assertOnce);
      }
    }
  }

  private void letRedisComeAndGo() {
    TestServers servers = TestServers.shared();
    awaitMore();
    new TestRedis(servers.redisUrl()).send(Command.FLUSHALL);
    awaitMore();
    servers.stopRedis();
    awaitMore();
    servers.startRedis();
    awaitMore();
    new TestRedis(servers.redisUrl()).send(Command.FLUSHALL);
    awaitMore();
    servers.stopRedis();
    awaitMore();
    servers.startRedis();
    awaitMore();
  }

  private void awaitMore() {
    int before = sent.get();
    await().atMost(Duration.ofSeconds(60)).until(() -> sent.get() > before + 20);
  }

  private List<Sent> sendAndRepeat() {
    List<Sent> all = new ArrayList<>();
    while (!isOver.get()) {
      String thing = UUID.randomUUID().toString();
      List<Answer> answers = new ArrayList<>();
      for (int i = 0; i < REPEATS; i++) {
        answers.add(ada.post("/things", thing, "{\"name\":\"%s\"}".formatted(thing)));
      }
      all.add(new Sent(thing, answers));
      sent.incrementAndGet();
    }
    return all;
  }

  private void assertOnce(Sent line) {
    assertThat(line.answers())
        .as(line.name())
        .allSatisfy(answer -> assertThat(answer.status()).isIn(201, 409));
    assertThat(runs.of(line.name())).isEqualTo(1);
    assertThat(ORDERS.number("SELECT count(*) FROM thing WHERE name = ?", line.name()))
        .isEqualTo(1);
    assertThat(line.answers().getFirst().status()).isEqualTo(201);
    assertThat(line.answers())
        .filteredOn(answer -> answer.status() == 201)
        .extracting(Answer::text)
        .containsOnly(line.answers().getFirst().text());
  }
}
