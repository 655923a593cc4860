package io.onceflow.idempotency.internal.request;

import io.onceflow.idempotency.internal.execution.GuardMetrics;
import io.onceflow.idempotency.internal.policy.IdempotencyConfig;
import io.onceflow.idempotency.internal.policy.Policy;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;

/** Bounds how many repeats wait at once, since each holds a thread. */
@ApplicationScoped
public class WaiterLimit {

  private final IdempotencyConfig.Waiting config;
  private final Semaphore free;

  WaiterLimit(IdempotencyConfig config, GuardMetrics metrics) {
    this.config = config.waiting();
    this.free = new Semaphore(config.waiting().callers());
    metrics.watchWaiting(this);
  }

  /** How many wait just now. */
  public int waiting() {
    return config.callers() - free.availablePermits();
  }

  /**
   * How long a repeat of this request waits.
   *
   * @param preferred what the caller prefers ({@code Prefer: wait}, RFC 7240), in place of the
   *     policy's; never longer than the configured bound
   */
  public WaitPolicy patience(Policy policy, Optional<Duration> preferred) {
    if (preferred.isEmpty() && !policy.isWaitedFor()) {
      return WaitPolicy.none();
    }
    Duration wanted = preferred.orElse(config.atMost());
    boolean tooLong = wanted.compareTo(config.atMost()) > 0;
    return WaitPolicy.of(tooLong ? config.atMost() : wanted, config);
  }

  /** A place to wait in. It is given back once, however often it is closed. */
  public final class Seat implements AutoCloseable {

    private final AtomicBoolean isTaken = new AtomicBoolean(true);

    @Override
    public void close() {
      if (isTaken.getAndSet(false)) {
        free.release();
      }
    }
  }

  /** A place to wait in; empty when there is none left. */
  public Optional<Seat> seat() {
    return free.tryAcquire() ? Optional.of(new Seat()) : Optional.empty();
  }
}
