package io.onceflow.redis.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.onceflow.idempotency.internal.policy.IdempotencyConfig;
import io.onceflow.idempotency.testing.MappedConfig;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class RedisCircuitBreakerTest {

  private static final Duration LONG = Duration.ofHours(1);
  private static final Duration SHORT = Duration.ofMillis(20);

  private final SimpleMeterRegistry metrics = new SimpleMeterRegistry();
  private final AtomicInteger asked = new AtomicInteger();

  private RedisCircuitBreaker breaker(Duration detour) {
    return new RedisCircuitBreaker(
        MappedConfig.of(IdempotencyConfig.class, Map.of(), Map.of("redis.detour", detour)),
        metrics);
  }

  @Test
  void asksAsLongAsItIsAnswered() {
    RedisCircuitBreaker breaker = breaker(LONG);
    assertThat(breaker.runUnlessOpen(this::answers)).hasValue("answer");
    assertThat(breaker.runUnlessOpen(this::answers)).hasValue("answer");
    assertThat(isTaken()).isFalse();
  }

  @Test
  void doesNotAskForAWhileAfterAFailure() {
    RedisCircuitBreaker breaker = breaker(LONG);
    assertThat(breaker.runUnlessOpen(this::fails)).isEmpty();
    assertThat(breaker.runUnlessOpen(this::answers)).isEmpty();
    assertThat(asked).hasValue(1);
    assertThat(metrics.counter(RedisCircuitBreaker.FAILURES).count()).isEqualTo(1);
    assertThat(isTaken()).isTrue();
  }

  @Test
  void asksAgainAfterThatWhileWithoutARestart() {
    RedisCircuitBreaker breaker = breaker(SHORT);
    breaker.runUnlessOpen(this::fails);
    await().until(() -> breaker.runUnlessOpen(this::answers).isPresent());
    assertThat(isTaken()).isFalse();
    assertThat(breaker.runUnlessOpen(this::answers)).isPresent();
  }

  /** Redis does not answer: one request waits for it, not all. */
  @Test
  void letsOneTryWhileTheOthersGoAround() throws Exception {
    RedisCircuitBreaker breaker = breaker(Duration.ofSeconds(1));
    breaker.runUnlessOpen(this::fails);
    CountDownLatch standsStill = new CountDownLatch(1);
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      CountDownLatch tries = new CountDownLatch(1);
      Future<?> trial =
          threads.submit(
              () -> {
                while (tries.getCount() > 0) {
                  breaker.runUnlessOpen(
                      () -> {
                        tries.countDown();
                        await().until(() -> standsStill.getCount() == 0);
                        return fails();
                      });
                }
                return null;
              });
      tries.await();
      asked.set(0);
      for (int i = 0; i < 100; i++) {
        assertThat(breaker.runUnlessOpen(this::answers)).isEmpty();
      }
      assertThat(asked).hasValue(0);
      standsStill.countDown();
      trial.get();
    }
    assertThat(isTaken()).isTrue();
  }

  @Test
  void isNotLeftByAnAnswerToAnOlderQuestion() {
    RedisCircuitBreaker breaker = breaker(LONG);
    breaker.runUnlessOpen(
        () -> {
          breaker.runUnlessOpen(this::fails);
          return answers();
        });
    assertThat(isTaken()).isTrue();
  }

  private String answers() {
    asked.incrementAndGet();
    return "answer";
  }

  private String fails() throws RedisUnusable {
    asked.incrementAndGet();
    throw new RedisUnusable("LOOK", new IllegalStateException("no Redis"));
  }

  private boolean isTaken() {
    return metrics.get(RedisCircuitBreaker.OPEN).gauge().value() == 1;
  }
}
