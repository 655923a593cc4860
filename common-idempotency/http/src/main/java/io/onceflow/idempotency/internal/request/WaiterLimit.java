package io.onceflow.idempotency.internal.request;

import io.onceflow.idempotency.internal.execution.GuardMetrics;
import io.onceflow.idempotency.internal.policy.IdempotencyConfig;
import io.onceflow.idempotency.internal.policy.Policy;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;

/** Limits the repeats that wait at once, since each holds a thread. */
@ApplicationScoped
public class WaiterLimit {

  private final IdempotencyConfig.Waiting config;
  private final Semaphore free;

  WaiterLimit(IdempotencyConfig config, GuardMetrics metrics) {
    this.config = config.waiting();
    this.free = new Semaphore(config.waiting().callers());
    metrics.watchWaiting(this);
  }

  /** The number of waiting repeats. */
  public int waiting() {
    return config.callers() - free.availablePermits();
  }

  /**
   * How long a repeat of this request waits.
   *
   * @param preferred the caller's {@code Prefer: wait} (RFC 7240), which overrides the policy;
   *     limited by the configuration
   */
  public WaitPolicy policyOf(Policy policy, Optional<Duration> preferred) {
    if (preferred.isEmpty() && !policy.isWaitedFor()) {
      return new WaitPolicy(Duration.ZERO);
    }
    Duration wanted = preferred.orElse(config.atMost());
    boolean tooLong = wanted.compareTo(config.atMost()) > 0;
    return new WaitPolicy(tooLong ? config.atMost() : wanted);
  }

  /** Permission to wait. Closing it twice has no effect. */
  public final class Slot implements AutoCloseable {

    private final AtomicBoolean isTaken = new AtomicBoolean(true);

    @Override
    public void close() {
      if (isTaken.getAndSet(false)) {
        free.release();
      }
    }
  }

  /** Permission to wait; empty if the limit is reached. */
  public Optional<Slot> tryEnter() {
    return free.tryAcquire() ? Optional.of(new Slot()) : Optional.empty();
  }
}
