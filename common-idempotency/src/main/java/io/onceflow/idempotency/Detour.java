package io.onceflow.idempotency;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * The way around a Redis that does not answer: after a failure it is not asked for a while, so that
 * requests lose no time on it, and then by one of them again.
 */
@ApplicationScoped
class Detour {

  private static final Logger LOG = Logger.getLogger(Detour.class);

  private final Duration length;
  private final Counter failures;
  private final AtomicBoolean isTaken = new AtomicBoolean();
  private volatile long endNanos;

  @Inject
  Detour(IdempotencyConfig config, MeterRegistry registry) {
    this(config.redis().detour(), registry);
  }

  Detour(Duration length, MeterRegistry registry) {
    this.length = length;
    this.failures = registry.counter("onceflow.idempotency.redis.failures");
  }

  /** A question to Redis. */
  @FunctionalInterface
  interface Question<T> {
    @Nullable T ask() throws RedisUnusable;
  }

  /** What Redis answers; empty when it does not, or is not asked. */
  <T> Optional<T> askUnlessTaken(Question<T> question) {
    if (isTaken.get() && System.nanoTime() - endNanos < 0) {
      return Optional.empty();
    }
    try {
      T answer = question.ask();
      if (isTaken.getAndSet(false)) {
        LOG.info("Redis answers again; repeats are answered from there");
      }
      return Optional.ofNullable(answer);
    } catch (RedisUnusable e) {
      failures.increment();
      endNanos = System.nanoTime() + length.toNanos();
      if (!isTaken.getAndSet(true)) {
        LOG.warnf(
            "Redis does not answer (%s); PostgreSQL answers in its place, and Redis is tried again"
                + " every %s",
            e.getMessage(), length);
      }
      return Optional.empty();
    }
  }
}
