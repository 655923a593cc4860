package io.onceflow.redis.internal;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.onceflow.idempotency.internal.policy.IdempotencyConfig;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * The way around a Redis that does not answer: after a failure it is not asked for a while, so that
 * requests lose no time on it; then one of them tries, and if that fails too, the others again lose
 * none.
 */
@ApplicationScoped
class RedisCircuitBreaker {

  static final String FAILURES = "onceflow.idempotency.redis.failures";
  static final String TAKEN = "onceflow.idempotency.redis.detour";

  private static final Logger LOG = Logger.getLogger(RedisCircuitBreaker.class);

  private final Duration length;
  private final Counter failures;
  private final AtomicBoolean isTaken = new AtomicBoolean();
  private final AtomicLong endNanos = new AtomicLong();

  @Inject
  RedisCircuitBreaker(IdempotencyConfig config, MeterRegistry registry) {
    this(config.redis().detour(), registry);
  }

  RedisCircuitBreaker(Duration length, MeterRegistry registry) {
    this.length = length;
    this.failures = registry.counter(FAILURES);
    registry.gauge(TAKEN, isTaken, taken -> taken.get() ? 1 : 0);
  }

  /** A question to Redis. */
  @FunctionalInterface
  interface Question<T> {
    @Nullable T ask() throws RedisUnusable;
  }

  /** What Redis answers; empty when it does not, or is not asked. */
  <T> Optional<T> askUnlessTaken(Question<T> question) {
    boolean isTrial = isTaken.get();
    if (isTrial && !isOurTurn()) {
      return Optional.empty();
    }
    try {
      T answer = question.ask();
      if (isTrial) {
        leave();
      }
      return Optional.ofNullable(answer);
    } catch (RedisUnusable e) {
      failures.increment();
      take(e);
      return Optional.empty();
    }
  }

  /** True for one, when the time is over; then it begins anew for all others. */
  private boolean isOurTurn() {
    long end = endNanos.get();
    long now = System.nanoTime();
    return now - end >= 0 && endNanos.compareAndSet(end, now + length.toNanos());
  }

  private void take(RedisUnusable why) {
    endNanos.set(System.nanoTime() + length.toNanos());
    if (!isTaken.getAndSet(true)) {
      LOG.warnf(
          "Redis does not answer (%s); PostgreSQL answers in its place, and Redis is tried again"
              + " every %s",
          why.getMessage(), length);
    }
  }

  private void leave() {
    if (isTaken.getAndSet(false)) {
      LOG.info("Redis answers again; repeats are answered from there");
    }
  }
}
