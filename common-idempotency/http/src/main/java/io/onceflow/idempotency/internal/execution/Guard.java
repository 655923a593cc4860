package io.onceflow.idempotency.internal.execution;

import io.micrometer.core.instrument.Timer;
import io.onceflow.core.internal.ScopedKey;
import io.onceflow.idempotency.Idempotent;
import io.onceflow.idempotency.internal.policy.GuardedMethod;
import io.onceflow.idempotency.internal.request.CurrentRequest;
import io.onceflow.idempotency.internal.request.InFlightRequest;
import io.onceflow.idempotency.internal.request.InFlightRequests;
import io.onceflow.idempotency.internal.request.InFlightRequests.Joined;
import io.onceflow.idempotency.internal.request.WaitPolicy;
import io.onceflow.idempotency.internal.request.WaiterLimit;
import io.onceflow.idempotency.internal.response.GuardResponses;
import io.onceflow.idempotency.internal.response.ResponseNotReplayable;
import io.onceflow.idempotency.internal.store.Claim;
import io.onceflow.idempotency.internal.store.ClaimRequest;
import io.onceflow.idempotency.internal.store.CompletedResponse;
import io.onceflow.idempotency.internal.store.IdempotencyUnusable;
import io.onceflow.idempotency.internal.store.LeaseLost;
import io.onceflow.idempotency.internal.store.StoredResponse;
import io.onceflow.internal.database.FailureKind;
import io.onceflow.internal.watchdog.LogLimit;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.ws.rs.core.Response;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import org.jboss.logging.Logger;

/** Runs a guarded method, or answers instead of it. */
@ApplicationScoped
public class Guard {

  private static final Logger LOG = Logger.getLogger(Guard.class);

  private final LogLimit unusable = new LogLimit();
  private final InFlightRequests inFlightRequests;
  private final WaiterLimit waiters;
  private final TransactionalExecution transactional;
  private final LeasedExecution leased;
  private final SharedExecution shared;
  private final GuardResponses answers;
  private final GuardMetrics metrics;

  Guard(
      InFlightRequests inFlightRequests,
      WaiterLimit waiters,
      TransactionalExecution transactional,
      LeasedExecution leased,
      SharedExecution shared,
      GuardResponses answers,
      GuardMetrics metrics) {
    this.inFlightRequests = inFlightRequests;
    this.waiters = waiters;
    this.transactional = transactional;
    this.leased = leased;
    this.shared = shared;
    this.answers = answers;
    this.metrics = metrics;
  }

  Response answer(String scope, CurrentRequest guarded, GuardedMethod method) throws Exception {
    ClaimRequest claim =
        method.policy().claim(new ScopedKey(scope, guarded.key()), guarded.fingerprint());
    Timer.Sample timing = metrics.begin(claim);
    try {
      Call call =
          new Call(
              claim, guarded, method, waiters.policyOf(method.policy(), guarded.preferredWait()));
      return answer(call);
    } catch (LeaseLost e) {
      LOG.warn(e.getMessage());
      return answers.leaseLost(e, guarded.path());
    } catch (ResponseNotReplayable e) {
      LOG.error(e.getMessage(), e);
      return answers.notKeepable(e, guarded.key(), guarded.path());
    } finally {
      metrics.end(timing, claim);
    }
  }

  private record Call(
      ClaimRequest claim, CurrentRequest guarded, GuardedMethod method, WaitPolicy waitPolicy) {

    Call calling(GuardedMethod other) {
      return new Call(claim, guarded, other, waitPolicy);
    }
  }

  private Response answer(Call call) throws Exception {
    while (true) {
      Joined joined = inFlightRequests.join(call.claim);
      Optional<Response> answer =
          joined.isLeader() ? lead(call, joined.inFlight()) : follow(call, joined.inFlight());
      if (answer.isPresent()) {
        return answer.get();
      }
    }
  }

  private Optional<Response> lead(Call call, InFlightRequest inFlight) throws Exception {
    try (inFlight) {
      ExecutionResult attempt = tryToRun(call, inFlight);
      return Optional.of(
          switch (isToBeWaitedFor(call, attempt) ? waitAndTry(call, inFlight, attempt) : attempt) {
            case ExecutionResult.Ran(Response response) -> response;
            case ExecutionResult.Conflict(Claim claim) -> answer(call, inFlight, claim);
            case ExecutionResult.Unavailable(IdempotencyUnusable why) ->
                storeUnavailable(call, why);
            case ExecutionResult.Unknown(IdempotencyUnusable why) -> outcomeUnknown(call, why);
          });
    } catch (IdempotencyUnusable e) {
      if (!inFlight.isWon()) {
        return Optional.of(storeUnavailable(call, e));
      }
      if (FailureKind.of(e) != FailureKind.OTHER) {
        return Optional.of(outcomeUnknown(call, e));
      }
      metrics.count(call.claim.operation(), RequestOutcome.RELEASED);
      throw e;
    } catch (Exception | Error e) {
      if (e instanceof Exception failure && isUndone(call, failure)) {
        return Optional.of(
            storeUnavailable(call, new IdempotencyUnusable(call.claim.key(), failure)));
      }
      metrics.count(call.claim.operation(), outcomeOf(e, inFlight));
      throw e;
    }
  }

  /** The method lost its database; all that it did was in the transaction that is rolled back. */
  private static boolean isUndone(Call call, Exception failure) {
    return call.claim.mode() != Idempotent.Mode.LEASED
        && FailureKind.of(failure) == FailureKind.DATABASE_AWAY;
  }

  private static RequestOutcome outcomeOf(Throwable failure, InFlightRequest inFlight) {
    if (failure instanceof LeaseLost) {
      return RequestOutcome.FENCED_OFF;
    }
    return inFlight.isWon() ? RequestOutcome.RELEASED : RequestOutcome.UNAVAILABLE;
  }

  /** Asks repeatedly. Once the method runs, its slot is free for another waiter. */
  private ExecutionResult waitAndTry(Call call, InFlightRequest inFlight, ExecutionResult conflict)
      throws Exception {
    Optional<WaiterLimit.Slot> free = waiters.tryEnter();
    if (free.isEmpty()) {
      return conflict;
    }
    try (WaiterLimit.Slot slot = free.get()) {
      Call waitingCall = call.calling(call.method.after(slot::close));
      ExecutionResult attempt;
      do {
        call.waitPolicy.pause();
        attempt = tryToRun(waitingCall, inFlight);
      } while (isToBeWaitedFor(call, attempt));
      return attempt;
    }
  }

  /** Asks the store once, and runs the method if the claim is won. */
  private ExecutionResult tryToRun(Call call, InFlightRequest inFlight) throws Exception {
    ExecutionStrategy run =
        switch (call.claim.mode()) {
          case TRANSACTIONAL -> transactional;
          case LEASED -> leased;
          case SHARED -> shared;
        };
    return run.tryTo(call.claim, call.guarded, call.method, inFlight);
  }

  private static boolean isToBeWaitedFor(Call call, ExecutionResult attempt) {
    return attempt instanceof ExecutionResult.Conflict(Claim.InProgress running)
        && isToBeWaitedFor(call, running);
  }

  /** A request accepted with 202 is waited for only with {@code Prefer: wait}. */
  private static boolean isToBeWaitedFor(Call call, Claim.InProgress running) {
    boolean isWanted = !running.isAccepted() || call.guarded.preferredWait().isPresent();
    return isWanted && !call.waitPolicy.isOver();
  }

  private Response answer(Call call, InFlightRequest inFlight, Claim found) {
    return switch (found) {
      case Claim.Done(CompletedResponse kept) -> {
        inFlight.answered(kept.response());
        yield replay(call, kept.response());
      }
      case Claim.Reused() -> reused(call);
      case Claim.InProgress running -> inProgress(call, running);
      case Claim.Won won ->
          throw new IllegalStateException("a claim was won and its method not run: " + won);
    };
  }

  private Optional<Response> follow(Call call, InFlightRequest inFlight) throws Exception {
    Claim found;
    try {
      found = found(call, inFlight);
    } catch (IdempotencyUnusable e) {
      return Optional.of(storeUnavailable(call, e));
    }
    return switch (found) {
      case Claim.Done(CompletedResponse kept) -> Optional.of(replay(call, kept.response()));
      case Claim.Reused() -> Optional.of(reused(call));
      case Claim.InProgress running -> awaitAnswer(call, inFlight, running);
      case Claim.Won won -> awaitAnswer(call, inFlight, running(inFlight));
    };
  }

  private Claim found(Call call, InFlightRequest inFlight) throws InterruptedException {
    try {
      return inFlight.awaitFound();
    } catch (IdempotencyUnusable e) {
      throw e;
    } catch (RuntimeException e) {
      metrics.count(call.claim.operation(), RequestOutcome.UNAVAILABLE);
      throw e;
    }
  }

  /** The request runs in this process, so the store need not be asked. */
  private static Claim.InProgress running(InFlightRequest inFlight) {
    return new Claim.InProgress(inFlight.age(), null, false);
  }

  /** The answer of the running request; empty if it has none, so that this one may run. */
  private Optional<Response> awaitAnswer(
      Call call, InFlightRequest inFlight, Claim.InProgress running) throws Exception {
    Optional<WaiterLimit.Slot> free =
        isToBeWaitedFor(call, running) ? waiters.tryEnter() : Optional.empty();
    if (free.isEmpty()) {
      return Optional.of(inProgress(call, running));
    }
    Optional<StoredResponse> answer;
    try {
      answer = inFlight.awaitAnswer(call.waitPolicy.left());
    } catch (TimeoutException e) {
      return Optional.of(inProgress(call, running(inFlight)));
    } finally {
      free.get().close();
    }
    return answer.map(response -> replay(call, response));
  }

  private Response replay(Call call, StoredResponse response) {
    metrics.count(call.claim.operation(), RequestOutcome.REPLAYED);
    return response.replayed();
  }

  private Response reused(Call call) {
    metrics.count(call.claim.operation(), RequestOutcome.MISMATCH);
    return answers.reused(call.guarded.key(), call.guarded.path());
  }

  /**
   * Only for a request that has not run: one that has run may have been committed although its
   * answer could not be stored.
   */
  private Response storeUnavailable(Call call, IdempotencyUnusable why) {
    metrics.count(call.claim.operation(), RequestOutcome.UNAVAILABLE);
    warn(why);
    return answers.storeUnavailable(call.guarded.key().toString(), call.guarded.path());
  }

  /** A repeat under the same key gets the stored answer, or runs if there is none. */
  private Response outcomeUnknown(Call call, IdempotencyUnusable why) {
    metrics.count(call.claim.operation(), RequestOutcome.UNAVAILABLE);
    warn(why);
    return answers.outcomeUnknown(call.guarded.key().toString(), call.guarded.path());
  }

  /** While the database is unavailable, each request has the same to say. */
  private void warn(IdempotencyUnusable why) {
    unusable
        .pass()
        .ifPresent(
            withheld ->
                LOG.warnf(
                    "%s; %s more requests failed so since the last such line",
                    why.getMessage(), withheld));
    LOG.debug("the store could not be used", why);
  }

  private Response inProgress(Call call, Claim.InProgress running) {
    if (running.isAccepted()) {
      metrics.count(call.claim.operation(), RequestOutcome.REPLAYED);
      return answers.accepted(call.guarded.key());
    }
    metrics.count(call.claim.operation(), RequestOutcome.REJECTED_IN_FLIGHT);
    return answers.inProgress(call.guarded.key(), call.guarded.path(), running);
  }
}
