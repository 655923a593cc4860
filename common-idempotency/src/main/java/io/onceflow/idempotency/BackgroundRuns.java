package io.onceflow.idempotency;

import io.quarkus.arc.Arc;
import io.quarkus.arc.ManagedContext;
import io.quarkus.runtime.ShutdownEvent;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import org.jboss.logging.Logger;

/** Work that goes on after its caller was told 202. */
@ApplicationScoped
class BackgroundRuns {

  private static final Logger LOG = Logger.getLogger(BackgroundRuns.class);

  private final IdempotencyStore store;
  private final Keeper keeper;
  private final Leases leases;
  private final Resolvers resolvers;
  private final GuardMetrics metrics;
  private final Semaphore free;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

  BackgroundRuns(
      IdempotencyStore store,
      Keeper keeper,
      Leases leases,
      Resolvers resolvers,
      GuardMetrics metrics,
      IdempotencyConfig config) {
    this.store = store;
    this.keeper = keeper;
    this.leases = leases;
    this.resolvers = resolvers;
    this.metrics = metrics;
    this.free = new Semaphore(config.background().concurrency());
  }

  /**
   * Begins the work.
   *
   * @return false when there is no room; nothing has happened then
   */
  boolean start(Lease lease, Lease.Work work) {
    if (!free.tryAcquire()) {
      return false;
    }
    boolean isStarted = false;
    try {
      store.accept(lease.ownership());
      threads.execute(() -> runAndLetGo(lease, work));
      isStarted = true;
      return true;
    } finally {
      if (!isStarted) {
        free.release();
      }
    }
  }

  /** Interrupts what is under way; the leases end, and another process goes on. */
  void stop(@Observes ShutdownEvent stopping) {
    threads.shutdownNow();
  }

  private void runAndLetGo(Lease lease, Lease.Work work) {
    ManagedContext request = Arc.container().requestContext();
    request.activate();
    try {
      work.run(lease);
      settle(lease);
    } catch (LeaseLost e) {
      metrics.count(operation(lease), Outcome.FENCED_OFF);
      LOG.warn(e.getMessage());
    } catch (Exception e) {
      fail(lease, e);
    } finally {
      leases.end(lease);
      request.terminate();
      free.release();
    }
  }

  /** The caller was promised an outcome, so here a refusal is kept whatever the policy. */
  private void settle(Lease lease) {
    StoredResponse response =
        lease
            .completed()
            .orElseThrow(() -> new IllegalStateException("it ended without lease.complete(…)"));
    if (response.isFailure()) {
      throw new IllegalStateException("it came to a status of " + response.status());
    }
    if (!lease.isKept()) {
      lease.keep(response);
    }
    metrics.count(operation(lease), Outcome.EXECUTED);
  }

  private void fail(Lease lease, Exception failure) {
    boolean isResolved = resolvers.knows(operation(lease));
    LOG.errorf(
        failure,
        "key %s (%s): its work in the background failed; %s",
        lease.key(),
        operation(lease),
        isResolved ? "the recovery sweep sees to it" : "its key is free again");
    if (!isResolved) {
      metrics.count(operation(lease), Outcome.RELEASED);
      keeper.release(lease.ownership());
    }
  }

  private static String operation(Lease lease) {
    return lease.ownership().request().operation();
  }
}
