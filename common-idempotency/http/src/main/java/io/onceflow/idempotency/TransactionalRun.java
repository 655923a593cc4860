package io.onceflow.idempotency;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.ws.rs.core.Response;

/** One transaction for claim, method and answer (rule 1). */
@ApplicationScoped
class TransactionalRun implements Run {

  private final ClaimKeeper keeper;
  private final JtaTransaction transaction;
  private final Heartbeat heartbeat;
  private final Refusals refusals;
  private final ResponseRenderer renderer;
  private final GuardMetrics metrics;

  TransactionalRun(
      ClaimKeeper keeper,
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
      ClaimRequest request, GuardedRequest guarded, GuardedMethod method, InFlightRequest flight)
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

  private Response run(Ownership own, GuardedMethod method, InFlightRequest flight)
      throws Exception {
    StoredResponse response = callAndKeep(own, method);
    boolean isKept =
        response.isSuccess()
            || response.isRefusal()
                && method.policy().isRefusalKept()
                && keeper.keepRefusal(own.request(), response);
    metrics.count(own.request().operation(), isKept ? Outcome.EXECUTED : Outcome.RELEASED);
    if (isKept) {
      flight.answered(response);
    }
    return response.first();
  }

  /** Keeps a success. Whatever else comes of it, transaction and claim are gone afterwards. */
  private StoredResponse callAndKeep(Ownership own, GuardedMethod method) throws Exception {
    boolean isKept = false;
    heartbeat.start(own, () -> {});
    try {
      StoredResponse response =
          renderer.render(refusals.call(method), method.produces(), own.request().operation());
      if (response.isSuccess()) {
        keeper.keepAndCommit(own, response);
        isKept = true;
      }
      return response;
    } finally {
      heartbeat.stop(own);
      if (!isKept) {
        transaction.rollBackIfOpen();
        keeper.release(own);
      }
    }
  }
}
