package io.onceflow.idempotency;

import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Semaphore;

/** Bounds how many repeats wait at once, since each holds a thread. */
@ApplicationScoped
class Waiters {

  private final IdempotencyConfig.Waiting config;
  private final Semaphore free;

  Waiters(IdempotencyConfig config) {
    this.config = config.waiting();
    this.free = new Semaphore(config.waiting().callers());
  }

  /**
   * How long a repeat of this request waits.
   *
   * @param preferred what the caller prefers ({@code Prefer: wait}, RFC 7240), in place of the
   *     policy's; never longer than the configured bound
   */
  Patience patience(Policy policy, Optional<Duration> preferred) {
    if (preferred.isEmpty() && !policy.isWaitedFor()) {
      return Patience.none();
    }
    Duration wanted = preferred.orElse(config.atMost());
    boolean tooLong = wanted.compareTo(config.atMost()) > 0;
    return Patience.of(tooLong ? config.atMost() : wanted, config);
  }

  /** What is done while waiting. */
  @FunctionalInterface
  interface Wait<T> {
    T run() throws Exception;
  }

  /** Waits if there is room; empty when there is none. */
  <T> Optional<T> whileWaiting(Wait<T> wait) throws Exception {
    if (!free.tryAcquire()) {
      return Optional.empty();
    }
    try {
      return Optional.of(wait.run());
    } finally {
      free.release();
    }
  }
}
