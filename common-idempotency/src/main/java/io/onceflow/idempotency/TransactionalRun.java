package io.onceflow.idempotency;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.ws.rs.core.Response;

/** One transaction for claim, method and answer (rule 1). */
@ApplicationScoped
class TransactionalRun implements Run {

  private final Keeper keeper;
  private final JtaTransaction transaction;
  private final Heartbeat heartbeat;
  private final Refusals refusals;
  private final ResponseRenderer renderer;
  private final GuardMetrics metrics;

  TransactionalRun(
      Keeper keeper,
      JtaTransaction transaction,
      Heartbeat heartbeat,
      Refusals refusals,
      ResponseRenderer renderer,
      GuardMetrics metrics) {
    this.keeper = keeper;
    this.transaction = transaction;
    this.heartbeat = heartbeat;
    this.refusals = refusals;
    this.renderer = renderer;
    this.metrics = metrics;
  }

  @Override
  public Attempt tryTo(
      ClaimRequest request, GuardedRequest guarded, GuardedMethod method, Flight flight)
      throws Exception {
    transaction.begin();
    try {
      return switch (keeper.ask(request, flight)) {
        case Claim.Won(Ownership own) -> new Attempt.Ran(run(own, method, flight));
        case Claim barred -> new Attempt.Barred(barred);
      };
    } finally {
      transaction.rollBackIfOpen();
    }
  }

  private Response run(Ownership own, GuardedMethod method, Flight flight) throws Exception {
    heartbeat.start(own, () -> {});
    boolean isKept = false;
    try {
      StoredResponse response =
          renderer.render(refusals.call(method), method.produces(), own.request().operation());
      if (response.isRefusal() || response.isFailure()) {
        return giveUp(own, response, method.policy(), flight).first();
      }
      keeper.keepAndCommit(own, response);
      isKept = true;
      metrics.count(own.request().operation(), Outcome.EXECUTED);
      flight.answered(response);
      return response.first();
    } catch (LeaseLost e) {
      metrics.count(own.request().operation(), Outcome.FENCED_OFF);
      throw e;
    } finally {
      heartbeat.stop(own);
      if (!isKept) {
        transaction.rollBackIfOpen();
        keeper.release(own);
      }
    }
  }

  private StoredResponse giveUp(
      Ownership own, StoredResponse response, Policy policy, Flight flight) {
    transaction.rollBackIfOpen();
    keeper.release(own);
    if (response.isRefusal() && policy.isRefusalKept()) {
      keeper.keepRefusal(own.request(), response);
      metrics.count(own.request().operation(), Outcome.EXECUTED);
      flight.answered(response);
    } else {
      metrics.count(own.request().operation(), Outcome.RELEASED);
    }
    return response;
  }
}
