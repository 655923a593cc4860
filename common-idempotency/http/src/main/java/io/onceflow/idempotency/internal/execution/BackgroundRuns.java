package io.onceflow.idempotency.internal.execution;

import io.onceflow.idempotency.Lease;
import io.onceflow.idempotency.internal.admission.QuotaExceeded;
import io.onceflow.idempotency.internal.policy.IdempotencyConfig;
import io.onceflow.idempotency.internal.recovery.AbandonedClaimResolvers;
import io.onceflow.idempotency.internal.store.IdempotencyStore;
import io.onceflow.idempotency.internal.store.LeaseLost;
import io.quarkus.arc.Arc;
import io.quarkus.arc.ManagedContext;
import io.quarkus.runtime.ShutdownEvent;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.jboss.logging.Logger;

/** Runs work in the background after its caller was answered 202. */
@ApplicationScoped
public class BackgroundRuns {

  private static final Logger LOG = Logger.getLogger(BackgroundRuns.class);

  /** Enough for a rollback and a release; half of the ten seconds that Docker waits. */
  private static final Duration STOP_WITHIN = Duration.ofSeconds(5);

  private final IdempotencyStore store;
  private final ClaimKeeper keeper;
  private final JtaTransaction transaction;
  private final Leases leases;
  private final AbandonedClaimResolvers resolvers;
  private final GuardMetrics metrics;
  private final BackgroundPlaces places;
  private final int mostOfOne;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private volatile boolean isStopping;

  BackgroundRuns(
      IdempotencyStore store,
      ClaimKeeper keeper,
      JtaTransaction transaction,
      Leases leases,
      AbandonedClaimResolvers resolvers,
      GuardMetrics metrics,
      IdempotencyConfig config) {
    this.store = store;
    this.keeper = keeper;
    this.transaction = transaction;
    this.leases = leases;
    this.resolvers = resolvers;
    this.metrics = metrics;
    this.mostOfOne = config.background().perCaller();
    this.places = new BackgroundPlaces(config.background().concurrency(), mostOfOne);
  }

  /**
   * Starts the work.
   *
   * @return false if the limit of the process or of this caller is reached; nothing was done then
   */
  public boolean start(ActiveLease lease, Lease.Work work) {
    if (!places.tryEnter(lease.scope())) {
      return false;
    }
    boolean isStarted = false;
    try {
      store.accept(lease.ownership());
      threads.execute(() -> runAndEnd(lease, work));
      isStarted = true;
      return true;
    } finally {
      if (!isStarted) {
        places.leave(lease.scope());
      }
    }
  }

  /** The quota that a caller has used up, if it has. */
  Optional<QuotaExceeded> overQuota(String scope) {
    return places.isFull(scope)
        ? Optional.of(
            new QuotaExceeded("background", mostOfOne, "background", null, Duration.ofSeconds(1)))
        : Optional.empty();
  }

  /**
   * Accepts work above the limit. Its method may have written something already; the resolver's
   * {@code Resume} continues the work as soon as the lease has expired.
   *
   * @return false if the operation has no resolver, so that the work would not be resumed
   */
  boolean deferToRecovery(ActiveLease lease) {
    boolean isResolved = resolvers.knows(operation(lease));
    if (isResolved) {
      store.accept(lease.ownership());
    }
    return isResolved;
  }

  /**
   * Interrupts running work and waits for it to hand its claims over, so that another process may
   * continue it. Claims that it does not pass are taken over when their leases expire.
   */
  void stop(@Observes ShutdownEvent stopping) {
    isStopping = true;
    threads.shutdownNow();
    try {
      if (!threads.awaitTermination(STOP_WITHIN.toNanos(), TimeUnit.NANOSECONDS)) {
        LOG.warn("some background work did not end when it was interrupted");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void runAndEnd(ActiveLease lease, Lease.Work work) {
    try {
      run(lease, work);
    } finally {
      leases.end(lease);
      places.leave(lease.scope());
    }
  }

  /** Logs its exceptions, since there is no caller to answer. */
  private void run(ActiveLease lease, Lease.Work work) {
    ManagedContext request = Arc.container().requestContext();
    request.activate();
    try {
      work.run(lease);
      lease.keepOutcome();
      metrics.count(operation(lease), RequestOutcome.EXECUTED);
    } catch (Exception | Error e) {
      fail(lease, e);
    } finally {
      request.terminate();
    }
  }

  private void fail(ActiveLease lease, Throwable failure) {
    // Neither an open transaction nor an interrupt may prevent the release.
    transaction.rollBackIfOpen();
    boolean isInterrupted = Thread.interrupted();
    if (lease.isKept()) {
      log(
          lease,
          RequestOutcome.EXECUTED,
          failure,
          "failed after its answer was stored; the answer stays");
    } else if (failure instanceof LeaseLost) {
      log(lease, RequestOutcome.FENCED_OFF, failure, "lost its lease");
    } else if (isStopping && resolvers.knows(operation(lease))) {
      handOver(lease);
    } else if (resolvers.knows(operation(lease))) {
      log(lease, RequestOutcome.FAILED, failure, "failed; the recovery sweep resolves it");
    } else {
      log(lease, RequestOutcome.RELEASED, failure, "failed; its key is released");
      keeper.release(lease.ownership());
    }
    if (isInterrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** No renewal may follow, or the lease would not expire. */
  private void handOver(ActiveLease lease) {
    leases.end(lease);
    try {
      store.handOver(lease.ownership());
      LOG.infof("%s is released for another process: this one stops", lease.ownership());
    } catch (RuntimeException e) {
      LOG.infof(
          "%s is taken over when its lease expires: this process stops, and %s",
          lease.ownership(), e.getMessage());
    }
  }

  private void log(ActiveLease lease, RequestOutcome outcome, Throwable failure, String what) {
    metrics.count(operation(lease), outcome);
    LOG.errorf(failure, "%s: its background work %s", lease.ownership(), what);
  }

  private static String operation(ActiveLease lease) {
    return lease.ownership().operation();
  }
}
