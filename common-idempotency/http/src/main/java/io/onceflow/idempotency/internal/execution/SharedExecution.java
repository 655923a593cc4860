package io.onceflow.idempotency.internal.execution;

import io.onceflow.core.internal.ScopedKey;
import io.onceflow.idempotency.internal.execution.SharedCommits.CommitResult;
import io.onceflow.idempotency.internal.execution.SharedCommits.Pending;
import io.onceflow.idempotency.internal.policy.GuardedMethod;
import io.onceflow.idempotency.internal.request.CurrentRequest;
import io.onceflow.idempotency.internal.request.InFlightRequest;
import io.onceflow.idempotency.internal.response.RefusalResponses;
import io.onceflow.idempotency.internal.response.ResponseRenderer;
import io.onceflow.idempotency.internal.store.Claim;
import io.onceflow.idempotency.internal.store.ClaimRequest;
import io.onceflow.idempotency.internal.store.CompletedResponse;
import io.onceflow.idempotency.internal.store.IdempotencyStore;
import io.onceflow.idempotency.internal.store.IdempotencyUnusable;
import io.onceflow.idempotency.internal.store.Ownership;
import io.onceflow.idempotency.internal.store.SharedRecords;
import io.onceflow.idempotency.internal.store.SharedRecords.Decided;
import io.onceflow.idempotency.internal.store.SharedRecords.WriteResult;
import io.onceflow.idempotency.internal.store.StoredResponse;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.Optional;

/**
 * Looks a key up, runs the method, and commits in a group. Look-ups are grouped as well. A known
 * key is answered before the method runs, so that a replay is answered even if the current rules
 * would refuse the request, and costs no decision.
 */
@ApplicationScoped
class SharedExecution implements ExecutionStrategy {

  private final IdempotencyStore store;
  private final SharedGroups groups;
  private final TransactionalExecution transactional;
  private final ClaimKeeper keeper;
  private final RefusalResponses refusals;
  private final ResponseRenderer renderer;
  private final GuardMetrics metrics;

  SharedExecution(
      IdempotencyStore store,
      SharedGroups groups,
      TransactionalExecution transactional,
      ClaimKeeper keeper,
      RefusalResponses refusals,
      ResponseRenderer renderer,
      GuardMetrics metrics) {
    this.store = store;
    this.groups = groups;
    this.transactional = transactional;
    this.keeper = keeper;
    this.refusals = refusals;
    this.renderer = renderer;
    this.metrics = metrics;
  }

  @Override
  public ExecutionResult tryTo(
      ClaimRequest request, CurrentRequest guarded, GuardedMethod method, InFlightRequest inFlight)
      throws Exception {
    Optional<SharedRecords> records = store.shared();
    if (records.isEmpty()) {
      SharedItems items = guarded.gather();
      return transactional.tryTo(request, guarded, method.before(items::writeAll), inFlight);
    }
    Optional<Claim> claim = find(records.get(), request, inFlight);
    if (claim.isPresent()) {
      inFlight.found(claim.get());
      return new ExecutionResult.Conflict(claim.get());
    }
    inFlight.deciding();
    return decide(request, guarded, method, inFlight);
  }

  private Optional<Claim> find(
      SharedRecords records, ClaimRequest request, InFlightRequest inFlight) throws Exception {
    try {
      Optional<Claim> cached = records.findCached(request);
      return cached.isPresent() ? cached : groups.find(request);
    } catch (RuntimeException e) {
      inFlight.failed(e);
      throw e;
    }
  }

  private ExecutionResult decide(
      ClaimRequest request, CurrentRequest guarded, GuardedMethod method, InFlightRequest inFlight)
      throws Exception {
    SharedItems items = guarded.gather();
    StoredResponse response =
        renderer.render(refusals.call(method), method.produces(), request.operation());
    if (!method.policy().keeps(response)) {
      metrics.count(request.operation(), RequestOutcome.RELEASED);
      return new ExecutionResult.Ran(response.first());
    }
    // A refused request writes nothing.
    SharedItems written = response.isSuccess() ? items : new SharedItems();
    return switch (groups.commit(new Pending(new Decided(request, response), written))) {
      case CommitResult.Ended(WriteResult.Written(Ownership own, CompletedResponse kept)) ->
          ran(own, kept, inFlight);
      case CommitResult.Ended(WriteResult.Conflict(Claim claim)) -> {
        inFlight.found(claim);
        yield new ExecutionResult.Conflict(claim);
      }
      case CommitResult.Failed(Throwable failure, boolean isToBeRepeated) ->
          failed(request.key(), failure, isToBeRepeated);
      case CommitResult.Unknown(IdempotencyUnusable why) -> new ExecutionResult.Unknown(why);
    };
  }

  private ExecutionResult ran(Ownership own, CompletedResponse kept, InFlightRequest inFlight) {
    if (own.isTakenOver()) {
      keeper.countTakeOver(own);
    }
    keeper.committed(own, kept);
    metrics.count(own.operation(), RequestOutcome.EXECUTED);
    inFlight.answered(kept.response());
    return new ExecutionResult.Ran(kept.response().first());
  }

  /** Each request throws its own exception, although several may share the failure. */
  private static ExecutionResult failed(ScopedKey key, Throwable failure, boolean isToBeRepeated)
      throws Exception {
    if (failure instanceof Error error) {
      throw error;
    }
    Exception exception = (Exception) failure;
    if (isToBeRepeated) {
      return new ExecutionResult.Unavailable(new IdempotencyUnusable(key, exception));
    }
    throw exception instanceof IdempotencyUnusable unusable
        ? new IdempotencyUnusable(key, unusable.reason())
        : exception;
  }
}
