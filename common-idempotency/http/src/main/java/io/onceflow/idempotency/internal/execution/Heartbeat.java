package io.onceflow.idempotency.internal.execution;

import io.onceflow.idempotency.internal.store.IdempotencyStore;
import io.onceflow.idempotency.internal.store.Ownership;
import io.onceflow.internal.watchdog.LoopWatch;
import io.quarkus.runtime.ShutdownEvent;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Renews the leases of all work that this process does, several times in the shortest of them, all
 * in one statement.
 */
@ApplicationScoped
public class Heartbeat {

  private static final Logger LOG = Logger.getLogger(Heartbeat.class);

  /** Two signs of life may get lost before a lease ends. */
  private static final int SIGNS_IN_A_LEASE = 3;

  private final IdempotencyStore store;
  private final Map<Ownership, Runnable> alive = new ConcurrentHashMap<>();
  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("onceflow-heartbeat").factory());
  private final LoopWatch watch = LoopWatch.idle("lease-heartbeat", Duration.ofMinutes(1));
  private volatile long pauseNanos = Long.MAX_VALUE;
  private @Nullable Future<?> next;
  private boolean isFailing;

  Heartbeat(IdempotencyStore store) {
    this.store = store;
  }

  /**
   * Gives signs of life for a claim until {@link #stop}.
   *
   * @param whenLost called, at most once, when the claim is found to be another's or done
   */
  void start(Ownership own, Runnable whenLost) {
    alive.put(own, whenLost);
    long nanos = Math.max(1, own.request().lease().toNanos() / SIGNS_IN_A_LEASE);
    // Every guarded request comes by here, and hardly any has a shorter lease than all before it.
    if (nanos < pauseNanos) {
      beatEvery(nanos);
    }
  }

  void stop(Ownership own) {
    alive.remove(own);
  }

  /** Whether there are signs of life for a claim of this key. */
  public boolean isGivenFor(String key) {
    return alive.keySet().stream().anyMatch(own -> own.key().key().value().equals(key));
  }

  void end(@Observes ShutdownEvent stopping) {
    timer.shutdownNow();
    watch.close();
  }

  /** One sign of life for everything. */
  void beat() {
    watch.turned();
    List<Ownership> owned = List.copyOf(alive.keySet());
    if (owned.isEmpty()) {
      return;
    }
    try {
      store.renew(owned).forEach(this::lose);
      isFailing = false;
    } catch (RuntimeException | Error e) {
      // What left here would end the timer for good, and with it every lease.
      if (!isFailing) {
        LOG.warnf(
            "%d leases cannot be renewed: %s; tried again every %s",
            owned.size(), e, Duration.ofNanos(pauseNanos));
      }
      isFailing = true;
    }
  }

  private synchronized void beatEvery(long nanos) {
    if (nanos < pauseNanos) {
      pauseNanos = nanos;
      watch.begin();
      if (next != null) {
        next.cancel(false);
      }
      try {
        next = timer.scheduleWithFixedDelay(this::beat, nanos, nanos, TimeUnit.NANOSECONDS);
      } catch (RejectedExecutionException e) {
        LOG.debug("the process is about to end; its leases are not renewed any more", e);
      }
    }
  }

  private void lose(Ownership own) {
    Runnable whenLost = alive.remove(own);
    if (whenLost != null) {
      whenLost.run();
    }
  }
}
