package io.onceflow.participants.internal;

import io.onceflow.inbox.internal.consumer.QueueDepths;
import io.onceflow.inbox.internal.consumer.QueueDepths.Depth;
import io.onceflow.inbox.internal.parking.InboxQueues;
import io.quarkus.arc.All;
import jakarta.annotation.PreDestroy;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * How the queues of this application are, as the broker tells: asked at most once a second however
 * many look, and waited for a moment. A broker that does not answer is not asked again before it
 * has, or has given up.
 */
@Singleton
class QueueStates {

  private static final Logger LOG = Logger.getLogger(QueueStates.class);

  private static final Duration WAIT = Duration.ofSeconds(1);
  private static final Duration KEEP = Duration.ofSeconds(1);

  private final InboxQueues queues;
  private final List<QueueDepths> brokers;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private @Nullable Look last;

  private record Look(CompletableFuture<Map<String, Depth>> depths, long begun) {

    boolean isToBeReplaced() {
      return depths.isDone() && System.nanoTime() - begun > KEEP.toNanos();
    }
  }

  /**
   * @param brokers none where the transport cannot tell
   */
  QueueStates(InboxQueues queues, @All List<QueueDepths> brokers) {
    this.queues = queues;
    this.brokers = brokers;
  }

  @PreDestroy
  void close() {
    threads.shutdownNow();
  }

  /** The names of all queues. */
  List<String> names() {
    return queues.names();
  }

  /** By their names, as far as they are known. */
  Map<String, Depth> depths() {
    try {
      return look().depths().get(WAIT.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Map.of();
    } catch (ExecutionException | TimeoutException e) {
      LOG.debugf(e, "the broker does not return the state of the queues");
      return Map.of();
    }
  }

  private synchronized Look look() {
    Look known = last;
    if (known == null || known.isToBeReplaced()) {
      known = new Look(CompletableFuture.supplyAsync(this::ask, threads), System.nanoTime());
      last = known;
    }
    return known;
  }

  private Map<String, Depth> ask() {
    Map<String, Depth> depths = new HashMap<>();
    for (QueueDepths broker : brokers) {
      for (String queue : names()) {
        try {
          depths.put(queue, broker.of(queue));
        } catch (IOException | RuntimeException e) {
          LOG.debugf("the broker does not return the state of %s: %s", queue, e);
        }
      }
    }
    return depths;
  }
}
