package io.onceflow.idempotency.internal.recovery;

import io.onceflow.idempotency.AbandonedClaimResolver;
import io.onceflow.idempotency.AbandonedClaimResolver.AbandonedClaim;
import io.onceflow.idempotency.AbandonedClaimResolver.Resolution;
import io.onceflow.idempotency.Lease;
import io.onceflow.idempotency.internal.execution.ActiveLease;
import io.onceflow.idempotency.internal.execution.BackgroundRuns;
import io.onceflow.idempotency.internal.execution.ClaimKeeper;
import io.onceflow.idempotency.internal.execution.GuardMetrics;
import io.onceflow.idempotency.internal.execution.Leases;
import io.onceflow.idempotency.internal.execution.RequestOutcome;
import io.onceflow.idempotency.internal.policy.GuardedOperations;
import io.onceflow.idempotency.internal.policy.IdempotencyConfig;
import io.onceflow.idempotency.internal.store.ClaimTakenOver;
import io.onceflow.idempotency.internal.store.IdempotencyStore;
import io.onceflow.idempotency.internal.store.IdempotencyUnusable;
import io.onceflow.idempotency.internal.store.LeaseLost;
import io.onceflow.internal.watchdog.PeriodicTask;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import jakarta.annotation.Priority;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.interceptor.Interceptor;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jboss.logging.Logger;

/**
 * The recovery sweep: finds claims whose lease ended long ago, and completes, resumes or releases
 * them. Every replica runs it at {@code onceflow.idempotency.recovery.interval}, without a leader.
 * An application without guarded methods may have no table for it, so there it does nothing.
 */
@ApplicationScoped
public class AbandonedClaims {

  private static final Logger LOG = Logger.getLogger(AbandonedClaims.class);

  private static final int LARGEST_BATCH = 20;

  private final IdempotencyStore store;
  private final IdempotencyConfig config;
  private final GuardedOperations operations;
  private final AbandonedClaimResolvers resolvers;
  private final ClaimKeeper keeper;
  private final Leases leases;
  private final BackgroundRuns background;
  private final GuardMetrics metrics;
  private final PeriodicTask sweeps =
      new PeriodicTask("idempotency-recovery", this::sweepIfGuarded);

  AbandonedClaims(
      IdempotencyStore store,
      IdempotencyConfig config,
      GuardedOperations operations,
      AbandonedClaimResolvers resolvers,
      ClaimKeeper keeper,
      Leases leases,
      BackgroundRuns background,
      GuardMetrics metrics) {
    this.store = store;
    this.config = config;
    this.operations = operations;
    this.resolvers = resolvers;
    this.keeper = keeper;
    this.leases = leases;
    this.background = background;
    this.metrics = metrics;
  }

  /** After the guarded operations were looked for. */
  void start(@Observes @Priority(Interceptor.Priority.LIBRARY_AFTER) StartupEvent started) {
    sweeps.start(Duration.ZERO, config.recovery().interval());
  }

  void stop(@Observes ShutdownEvent stopping) {
    sweeps.close();
  }

  private void sweepIfGuarded() {
    if (!operations.names().isEmpty()) {
      sweep();
    }
  }

  /**
   * Runs the sweep once. Must be called outside of any transaction.
   *
   * @return how many were found
   * @throws IdempotencyUnusable if the store cannot be asked
   */
  public int sweep() {
    List<ClaimTakenOver> abandoned =
        store.takeOverAbandoned(
            operations.names(),
            config.recovery().grace(),
            operations.longestLease(),
            LARGEST_BATCH);
    // All leases at once, since resolving one claim may take longer than the leases of the others.
    Map<ActiveLease, ClaimTakenOver> byLease = new LinkedHashMap<>();
    abandoned.forEach(claim -> byLease.put(begin(claim), claim));
    byLease.forEach(this::settle);
    return abandoned.size();
  }

  private ActiveLease begin(ClaimTakenOver claim) {
    return leases.begin(claim.ownership(), operations.produces(claim.ownership().operation()));
  }

  private void settle(ActiveLease lease, ClaimTakenOver claim) {
    boolean goesOn = false;
    try {
      goesOn = resolve(claim, lease);
    } catch (LeaseLost e) {
      metrics.count(claim.ownership().operation(), RequestOutcome.FENCED_OFF);
      LOG.warn(e.getMessage());
    } catch (Exception | Error e) {
      LOG.errorf(
          e,
          "%s: its abandoned claim could not be resolved; tried again in %s",
          claim.ownership(),
          operations.longestLease().plus(config.recovery().grace()));
    } finally {
      if (!goesOn) {
        leases.end(lease);
      }
    }
  }

  /** Resolves a claim; returns whether its work continues in the background. */
  private boolean resolve(ClaimTakenOver claim, ActiveLease lease) throws Exception {
    Optional<AbandonedClaimResolver> resolver = resolvers.of(claim.ownership().operation());
    Resolution resolution =
        resolver.isPresent() ? resolver.get().resolve(asShown(claim)) : new Resolution.Release();
    return switch (resolution) {
      case Resolution.Complete(var answer) -> {
        lease.complete(answer);
        lease.keepOutcome();
        log(claim, RequestOutcome.RECOVERED, "completed from the business state");
        yield false;
      }
      case Resolution.Release() -> {
        keeper.release(claim.ownership());
        log(claim, RequestOutcome.ABANDONED, "released");
        yield false;
      }
      case Resolution.Resume(Lease.Work work) -> {
        boolean isStarted = background.start(lease, work);
        if (isStarted) {
          log(claim, RequestOutcome.RECOVERED, "resumed");
        }
        yield isStarted;
      }
    };
  }

  private void log(ClaimTakenOver claim, RequestOutcome outcome, String what) {
    metrics.count(claim.ownership().operation(), outcome);
    LOG.warnf("%s: the process of its owner died; the claim was %s", claim.ownership(), what);
  }

  private static AbandonedClaim asShown(ClaimTakenOver claim) {
    return new AbandonedClaim(
        claim.key().scope(),
        claim.key().key(),
        claim.ownership().request().fingerprint().hex(),
        claim.isAccepted());
  }
}
