package io.onceflow.idempotency.internal.execution;

import io.onceflow.idempotency.internal.policy.GuardedMethod;
import io.onceflow.idempotency.internal.request.CurrentRequest;
import io.onceflow.idempotency.internal.request.InFlightRequest;
import io.onceflow.idempotency.internal.response.RefusalResponses;
import io.onceflow.idempotency.internal.response.ResponseRenderer;
import io.onceflow.idempotency.internal.store.Claim;
import io.onceflow.idempotency.internal.store.ClaimRequest;
import io.onceflow.idempotency.internal.store.Ownership;
import io.onceflow.idempotency.internal.store.StoredResponse;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.ws.rs.core.Response;

/** One transaction for claim, method and answer (rule 1). */
@ApplicationScoped
class TransactionalExecution implements ExecutionStrategy {

  private final ClaimKeeper keeper;
  private final JtaTransaction transaction;
  private final Leases leases;
  private final RefusalResponses refusals;
  private final ResponseRenderer renderer;
  private final GuardMetrics metrics;

  TransactionalExecution(
      ClaimKeeper keeper,
      JtaTransaction transaction,
      Leases leases,
      RefusalResponses refusals,
      ResponseRenderer renderer,
      GuardMetrics metrics) {
    this.keeper = keeper;
    this.transaction = transaction;
    this.leases = leases;
    this.refusals = refusals;
    this.renderer = renderer;
    this.metrics = metrics;
  }

  @Override
  public ExecutionResult tryTo(
      ClaimRequest request, CurrentRequest guarded, GuardedMethod method, InFlightRequest inFlight)
      throws Exception {
    transaction.begin();
    try {
      return switch (keeper.claim(request, inFlight)) {
        case Claim.Won(Ownership own) -> new ExecutionResult.Ran(run(own, method, inFlight));
        case Claim found -> new ExecutionResult.Conflict(found);
      };
    } finally {
      transaction.rollBackIfOpen();
    }
  }

  private Response run(Ownership own, GuardedMethod method, InFlightRequest inFlight)
      throws Exception {
    StoredResponse response = callAndKeep(own, method);
    boolean isKept =
        response.isSuccess()
            || method.policy().keeps(response) && keeper.keepRefusal(own.request(), response);
    metrics.count(own.operation(), isKept ? RequestOutcome.EXECUTED : RequestOutcome.RELEASED);
    if (isKept) {
      inFlight.answered(response);
    }
    return response.first();
  }

  /** Stores a success. In all other cases the transaction is rolled back and the claim released. */
  private StoredResponse callAndKeep(Ownership own, GuardedMethod method) throws Exception {
    boolean isKept = false;
    leases.renew(own, () -> {});
    try {
      StoredResponse response =
          renderer.render(refusals.call(method), method.produces(), own.operation());
      if (response.isSuccess()) {
        keeper.keepAndCommit(own, response);
        isKept = true;
      }
      return response;
    } finally {
      leases.stopRenewing(own);
      if (!isKept) {
        transaction.rollBackIfOpen();
        keeper.release(own);
      }
    }
  }
}
