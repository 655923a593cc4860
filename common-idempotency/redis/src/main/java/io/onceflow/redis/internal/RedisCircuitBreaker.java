package io.onceflow.redis.internal;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.onceflow.idempotency.internal.policy.IdempotencyConfig;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Opens when Redis fails to answer: for a while Redis is not asked, so that requests lose no time
 * on it. After that time one request asks; if it fails too, the circuit stays open for the others.
 */
@ApplicationScoped
class RedisCircuitBreaker {

  static final String FAILURES = "onceflow.idempotency.redis.failures";

  /** 1 while the circuit is open. */
  static final String OPEN = "onceflow.idempotency.redis.detour";

  private static final Logger LOG = Logger.getLogger(RedisCircuitBreaker.class);

  private final Duration length;
  private final Counter failures;
  private final AtomicBoolean isOpen = new AtomicBoolean();
  private final AtomicLong endNanos = new AtomicLong();

  RedisCircuitBreaker(IdempotencyConfig config, MeterRegistry registry) {
    this.length = config.redis().detour();
    this.failures = registry.counter(FAILURES);
    registry.gauge(OPEN, isOpen, open -> open.get() ? 1 : 0);
  }

  @FunctionalInterface
  interface Call<T> {
    @Nullable T run() throws RedisUnusable;
  }

  /** What Redis answers; empty when it does not, or is not asked. */
  <T> Optional<T> runUnlessOpen(Call<T> call) {
    boolean wasOpen = isOpen.get();
    if (wasOpen && !isTrial()) {
      return Optional.empty();
    }
    try {
      T answer = call.run();
      if (wasOpen) {
        close();
      }
      return Optional.ofNullable(answer);
    } catch (RedisUnusable e) {
      failures.increment();
      open(e);
      return Optional.empty();
    }
  }

  /** True for one request when the time is over; for all others the time starts again. */
  private boolean isTrial() {
    long end = endNanos.get();
    long now = System.nanoTime();
    return now - end >= 0 && endNanos.compareAndSet(end, now + length.toNanos());
  }

  private void open(RedisUnusable why) {
    endNanos.set(System.nanoTime() + length.toNanos());
    if (!isOpen.getAndSet(true)) {
      LOG.warnf(
          "Redis does not answer (%s); PostgreSQL answers in its place, and Redis is tried again"
              + " every %s",
          why.getMessage(), length);
    }
  }

  private void close() {
    if (isOpen.getAndSet(false)) {
      LOG.info("Redis answers again; repeats are answered from there");
    }
  }
}
