package io.onceflow.idempotency.internal.execution;

import io.onceflow.idempotency.Lease;
import io.onceflow.idempotency.internal.policy.GuardedMethod;
import io.onceflow.idempotency.internal.recovery.AbandonedClaimResolvers;
import io.onceflow.idempotency.internal.request.CurrentRequest;
import io.onceflow.idempotency.internal.request.InFlightRequest;
import io.onceflow.idempotency.internal.response.GuardResponses;
import io.onceflow.idempotency.internal.response.RefusalResponses;
import io.onceflow.idempotency.internal.store.Claim;
import io.onceflow.idempotency.internal.store.ClaimRequest;
import io.onceflow.idempotency.internal.store.Ownership;
import io.onceflow.idempotency.internal.store.StoredResponse;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.ws.rs.core.Response;
import java.util.Optional;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/** Commits the claim, runs the method without a transaction, stores the answer if not fenced. */
@ApplicationScoped
class LeasedExecution implements ExecutionStrategy {

  private static final Logger LOG = Logger.getLogger(LeasedExecution.class);

  private final ClaimKeeper keeper;
  private final JtaTransaction transaction;
  private final Leases leases;
  private final BackgroundRuns background;
  private final AbandonedClaimResolvers resolvers;
  private final RefusalResponses refusals;
  private final GuardResponses answers;
  private final GuardMetrics metrics;

  LeasedExecution(
      ClaimKeeper keeper,
      JtaTransaction transaction,
      Leases leases,
      BackgroundRuns background,
      AbandonedClaimResolvers resolvers,
      RefusalResponses refusals,
      GuardResponses answers,
      GuardMetrics metrics) {
    this.keeper = keeper;
    this.transaction = transaction;
    this.leases = leases;
    this.background = background;
    this.resolvers = resolvers;
    this.refusals = refusals;
    this.answers = answers;
    this.metrics = metrics;
  }

  @Override
  public ExecutionResult tryTo(
      ClaimRequest request, CurrentRequest guarded, GuardedMethod method, InFlightRequest inFlight)
      throws Exception {
    if (transaction.isOpen()) {
      throw new IllegalStateException(
          "operation %s is leased, but was called within a transaction, which would hold back its claim"
              .formatted(request.operation()));
    }
    return switch (keeper.claim(request, inFlight)) {
      case Claim.Won(Ownership own) -> new ExecutionResult.Ran(run(own, guarded, method, inFlight));
      case Claim found -> new ExecutionResult.Conflict(found);
    };
  }

  private Response run(
      Ownership own, CurrentRequest guarded, GuardedMethod method, InFlightRequest inFlight)
      throws Exception {
    ActiveLease lease = leases.begin(own, method.produces());
    boolean goesOn = false;
    boolean isPromised = false;
    boolean hasFailed = true;
    try {
      guarded.run(lease);
      Response returned = call(method, own);
      Optional<Lease.Work> work = lease.promisedBy(returned);
      if (work.isPresent()) {
        goesOn = background.start(lease, work.get());
        isPromised = !goesOn && background.deferToRecovery(lease);
        hasFailed = false;
        return goesOn || isPromised ? accepted(own, guarded) : busy(own, guarded);
      }
      StoredResponse response = settle(lease, returned, method);
      hasFailed = false;
      return answer(lease, response, inFlight);
    } catch (Exception e) {
      if (!lease.isKept()) {
        throw e;
      }
      LOG.warnf(e, "%s: failed after its answer was stored; the answer stays", own);
      return answer(lease, lease.completed().orElseThrow(), inFlight);
    } finally {
      if (isPromised) {
        leases.end(lease);
      } else if (!goesOn) {
        end(lease, hasFailed);
      }
    }
  }

  private @Nullable Response call(GuardedMethod method, Ownership own) throws Exception {
    Response returned = refusals.call(method);
    if (transaction.isOpen()) {
      throw new IllegalStateException(
          "operation %s returned with a transaction open; it is rolled back"
              .formatted(own.operation()));
    }
    return returned;
  }

  /** Stores an answer that the method has not stored by {@link Lease#complete}, if it is to be. */
  private StoredResponse settle(
      ActiveLease lease, @Nullable Response returned, GuardedMethod method) {
    StoredResponse response = lease.completed().orElseGet(() -> lease.render(returned));
    if (method.policy().keeps(response) && !lease.isKept()) {
      lease.keep(response);
    }
    return response;
  }

  private Response answer(ActiveLease lease, StoredResponse response, InFlightRequest inFlight) {
    RequestOutcome outcome = lease.isKept() ? RequestOutcome.EXECUTED : RequestOutcome.RELEASED;
    metrics.count(lease.ownership().operation(), outcome);
    if (lease.isKept()) {
      inFlight.answered(response);
    }
    return response.first();
  }

  private Response accepted(Ownership own, CurrentRequest guarded) {
    metrics.count(own.operation(), RequestOutcome.ACCEPTED);
    return answers.accepted(guarded.key());
  }

  private Response busy(Ownership own, CurrentRequest guarded) {
    metrics.count(own.operation(), RequestOutcome.RELEASED);
    return background
        .overQuota(own.key().scope())
        .map(over -> over.response(guarded.path()))
        .orElseGet(() -> answers.busy(guarded.key(), guarded.path()));
  }

  /**
   * A transaction that the method left open would roll the release back. A run that has stored a
   * part of its work and failed, perhaps without knowing that it was stored, leaves the rest to the
   * same request and to the resolver: with its key released it would stay as it is.
   */
  private void end(ActiveLease lease, boolean hasFailed) {
    leases.end(lease);
    transaction.rollBackIfOpen();
    if (lease.isKept() || isForRecovery(lease.ownership())) {
      return;
    }
    if (hasFailed && lease.hasWritten() && resolvers.knows(lease.ownership().operation())) {
      keeper.handOver(lease.ownership());
    } else {
      keeper.release(lease.ownership());
    }
  }

  /**
   * A failed take-over does not release work that an earlier run started and may have accepted: the
   * claim stays until its lease expires and the recovery sweep asks the resolver.
   */
  private boolean isForRecovery(Ownership own) {
    return own.isTakenOver() && resolvers.knows(own.operation());
  }
}
