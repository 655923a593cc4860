package io.onceflow.idempotency;

import io.onceflow.idempotency.AbandonedClaimResolver.Resolution;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import java.util.Optional;
import org.jboss.logging.Logger;

/**
 * The recovery sweep: finds claims whose lease ended long ago, and completes, resumes or releases
 * them. {@link Housekeeping} runs it by the clock, on every replica, without a leader.
 */
@ApplicationScoped
public class AbandonedClaims {

  private static final Logger LOG = Logger.getLogger(AbandonedClaims.class);

  private final IdempotencyStore store;
  private final IdempotencyConfig config;
  private final GuardedOperations operations;
  private final Resolvers resolvers;
  private final Keeper keeper;
  private final Leases leases;
  private final BackgroundRuns background;
  private final GuardMetrics metrics;

  AbandonedClaims(
      IdempotencyStore store,
      IdempotencyConfig config,
      GuardedOperations operations,
      Resolvers resolvers,
      Keeper keeper,
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

  /**
   * Looks once.
   *
   * @return how many were found
   * @throws IdempotencyUnusable when the store cannot be asked
   */
  public int sweep() {
    List<AbandonedClaim> abandoned =
        store.takeOverAbandoned(
            operations.names(),
            config.recovery().grace(),
            config.lease(),
            config.recovery().batchSize());
    abandoned.forEach(this::settle);
    return abandoned.size();
  }

  private void settle(AbandonedClaim claim) {
    String operation = claim.ownership().request().operation();
    Lease lease = leases.begin(claim.ownership(), Optional.empty());
    boolean goesOn = false;
    try {
      goesOn = settle(claim, lease, operation);
    } catch (Exception e) {
      LOG.errorf(
          e,
          "key %s (%s): what its dead owner did could not be settled; tried again at the next sweep",
          claim.key(),
          operation);
    } finally {
      if (!goesOn) {
        leases.end(lease);
      }
    }
  }

  /** Settles one; returns whether its work goes on in the background. */
  private boolean settle(AbandonedClaim claim, Lease lease, String operation) throws Exception {
    Optional<AbandonedClaimResolver> resolver = resolvers.of(operation);
    Resolution resolution =
        resolver.isPresent() ? resolver.get().resolve(claim) : new Resolution.Release();
    return switch (resolution) {
      case Resolution.Complete(var answer) -> {
        lease.complete(answer);
        tell(claim, operation, Outcome.RECOVERED, "completed from the business state");
        yield false;
      }
      case Resolution.Release() -> {
        keeper.release(claim.ownership());
        tell(claim, operation, Outcome.ABANDONED, "released");
        yield false;
      }
      case Resolution.Resume(Lease.Work work) -> {
        boolean isStarted = background.start(lease, work);
        if (isStarted) {
          tell(claim, operation, Outcome.RECOVERED, "resumed");
        }
        yield isStarted;
      }
    };
  }

  private void tell(AbandonedClaim claim, String operation, Outcome outcome, String what) {
    metrics.count(operation, outcome);
    LOG.warnf("key %s (%s): its owner died; the claim was %s", claim.key(), operation, what);
  }
}
