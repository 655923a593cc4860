package io.onceflow.idempotency;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.ws.rs.core.Response;
import org.jspecify.annotations.Nullable;

/** The claim first, then the method without a transaction, its answer under the fencing token. */
@ApplicationScoped
class LeasedRun implements Run {

  private final Keeper keeper;
  private final Leases leases;
  private final BackgroundRuns background;
  private final Refusals refusals;
  private final ResponseRenderer renderer;
  private final Answers answers;
  private final GuardMetrics metrics;

  LeasedRun(
      Keeper keeper,
      Leases leases,
      BackgroundRuns background,
      Refusals refusals,
      ResponseRenderer renderer,
      Answers answers,
      GuardMetrics metrics) {
    this.keeper = keeper;
    this.leases = leases;
    this.background = background;
    this.refusals = refusals;
    this.renderer = renderer;
    this.answers = answers;
    this.metrics = metrics;
  }

  @Override
  public Attempt tryTo(
      ClaimRequest request, GuardedRequest guarded, GuardedMethod method, Flight flight)
      throws Exception {
    return switch (keeper.ask(request, flight)) {
      case Claim.Won(Ownership own) -> new Attempt.Ran(run(own, guarded, method, flight));
      case Claim barred -> new Attempt.Barred(barred);
    };
  }

  private Response run(Ownership own, GuardedRequest guarded, GuardedMethod method, Flight flight)
      throws Exception {
    Lease lease = leases.begin(own, method.produces());
    guarded.run(lease);
    boolean isSettled = false;
    try {
      Response returned = refusals.call(method);
      if (lease.background().isPresent()) {
        isSettled = true;
        return goOn(lease, lease.background().get(), guarded);
      }
      StoredResponse response = settle(lease, returned, method);
      isSettled = lease.isKept();
      if (isSettled) {
        flight.answered(response);
      }
      metrics.count(own.request().operation(), isSettled ? Outcome.EXECUTED : Outcome.RELEASED);
      return response.first();
    } catch (LeaseLost e) {
      metrics.count(own.request().operation(), Outcome.FENCED_OFF);
      throw e;
    } finally {
      if (!isSettled) {
        leases.end(lease);
        keeper.release(own);
      } else if (lease.background().isEmpty()) {
        leases.end(lease);
      }
    }
  }

  /** Keeps what the method has not completed itself, if it is to be kept. */
  private StoredResponse settle(Lease lease, @Nullable Response returned, GuardedMethod method) {
    StoredResponse response = lease.completed().orElseGet(() -> lease.render(returned));
    boolean isWorthKeeping =
        !response.isFailure() && (!response.isRefusal() || method.policy().isRefusalKept());
    if (!lease.isKept() && isWorthKeeping) {
      lease.keep(response);
    }
    return response;
  }

  private Response goOn(Lease lease, Lease.Work work, GuardedRequest guarded) {
    if (!background.start(lease, work)) {
      leases.end(lease);
      keeper.release(lease.ownership());
      metrics.count(lease.ownership().request().operation(), Outcome.RELEASED);
      return answers.busy(guarded.key(), guarded.path());
    }
    metrics.count(lease.ownership().request().operation(), Outcome.ACCEPTED);
    return answers.accepted(guarded.key());
  }
}
