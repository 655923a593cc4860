package io.onceflow.idempotency.internal.execution;

import io.micrometer.core.instrument.Timer;
import io.onceflow.core.internal.ScopedKey;
import io.onceflow.idempotency.internal.policy.GuardedMethod;
import io.onceflow.idempotency.internal.request.CurrentRequest;
import io.onceflow.idempotency.internal.request.InFlightRequest;
import io.onceflow.idempotency.internal.request.InFlightRequests;
import io.onceflow.idempotency.internal.request.InFlightRequests.Boarding;
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
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.ws.rs.core.Response;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import org.jboss.logging.Logger;

/** Runs a guarded method, or answers in its place. */
@ApplicationScoped
public class Guard {

  private static final Logger LOG = Logger.getLogger(Guard.class);

  private final InFlightRequests flights;
  private final WaiterLimit waiters;
  private final TransactionalExecution transactional;
  private final LeasedExecution leased;
  private final SharedExecution shared;
  private final GuardResponses answers;
  private final GuardMetrics metrics;

  Guard(
      InFlightRequests flights,
      WaiterLimit waiters,
      TransactionalExecution transactional,
      LeasedExecution leased,
      SharedExecution shared,
      GuardResponses answers,
      GuardMetrics metrics) {
    this.flights = flights;
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
              claim, guarded, method, waiters.patience(method.policy(), guarded.preferredWait()));
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
      ClaimRequest claim, CurrentRequest guarded, GuardedMethod method, WaitPolicy patience) {

    Call calling(GuardedMethod other) {
      return new Call(claim, guarded, other, patience);
    }
  }

  private Response answer(Call call) throws Exception {
    while (true) {
      Boarding boarding = flights.board(call.claim);
      Optional<Response> answer =
          boarding.isLeader() ? lead(call, boarding.flight()) : follow(call, boarding.flight());
      if (answer.isPresent()) {
        return answer.get();
      }
    }
  }

  private Optional<Response> lead(Call call, InFlightRequest flight) throws Exception {
    try (flight) {
      ExecutionResult attempt = tryToRun(call, flight);
      return Optional.of(
          switch (isToBeWaitedFor(call, attempt) ? waitAndTry(call, flight, attempt) : attempt) {
            case ExecutionResult.Ran(Response response) -> response;
            case ExecutionResult.Barred(Claim claim) -> answer(call, flight, claim);
            case ExecutionResult.Unavailable(IdempotencyUnusable why) ->
                storeUnavailable(call, why);
            case ExecutionResult.Unknown(IdempotencyUnusable why) -> outcomeUnknown(call, why);
          });
    } catch (IdempotencyUnusable e) {
      if (flight.isWon()) {
        metrics.count(call.claim.operation(), RequestOutcome.RELEASED);
        throw e;
      }
      return Optional.of(storeUnavailable(call, e));
    } catch (Exception | Error e) {
      metrics.count(call.claim.operation(), outcomeOf(e, flight));
      throw e;
    }
  }

  private static RequestOutcome outcomeOf(Throwable failure, InFlightRequest flight) {
    if (failure instanceof LeaseLost) {
      return RequestOutcome.FENCED_OFF;
    }
    return flight.isWon() ? RequestOutcome.RELEASED : RequestOutcome.UNAVAILABLE;
  }

  /** Looks again and again. Once it runs it waits no longer, and its seat is another's. */
  private ExecutionResult waitAndTry(Call call, InFlightRequest flight, ExecutionResult barred)
      throws Exception {
    Optional<WaiterLimit.Seat> free = waiters.seat();
    if (free.isEmpty()) {
      return barred;
    }
    try (WaiterLimit.Seat seat = free.get()) {
      Call seated = call.calling(call.method.after(seat::close));
      ExecutionResult attempt;
      do {
        call.patience.pause();
        attempt = tryToRun(seated, flight);
      } while (isToBeWaitedFor(call, attempt));
      return attempt;
    }
  }

  /** One look at the store, and the method's run if the claim is won. */
  private ExecutionResult tryToRun(Call call, InFlightRequest flight) throws Exception {
    ExecutionStrategy run =
        switch (call.claim.mode()) {
          case TRANSACTIONAL -> transactional;
          case LEASED -> leased;
          case SHARED -> shared;
        };
    return run.tryTo(call.claim, call.guarded, call.method, flight);
  }

  private static boolean isToBeWaitedFor(Call call, ExecutionResult attempt) {
    return attempt instanceof ExecutionResult.Barred(Claim.InProgress running)
        && isToBeWaitedFor(call, running);
  }

  /** What was accepted with 202 is waited for only by those who ask to. */
  private static boolean isToBeWaitedFor(Call call, Claim.InProgress running) {
    boolean isWanted = !running.isAccepted() || call.guarded.preferredWait().isPresent();
    return isWanted && !call.patience.isOver();
  }

  private Response answer(Call call, InFlightRequest flight, Claim found) {
    return switch (found) {
      case Claim.Done(CompletedResponse kept) -> {
        flight.answered(kept.response());
        yield replay(call, kept.response());
      }
      case Claim.Reused() -> reused(call);
      case Claim.InProgress running -> inProgress(call, running);
      case Claim.Won won ->
          throw new IllegalStateException("a claim was won and its method not run: " + won);
    };
  }

  private Optional<Response> follow(Call call, InFlightRequest flight) throws Exception {
    Claim found;
    try {
      found = found(call, flight);
    } catch (IdempotencyUnusable e) {
      return Optional.of(storeUnavailable(call, e));
    }
    return switch (found) {
      case Claim.Done(CompletedResponse kept) -> Optional.of(replay(call, kept.response()));
      case Claim.Reused() -> Optional.of(reused(call));
      case Claim.InProgress running -> awaitAnswer(call, flight, running);
      case Claim.Won won -> awaitAnswer(call, flight, running(flight));
    };
  }

  private Claim found(Call call, InFlightRequest flight) throws InterruptedException {
    try {
      return flight.awaitFound();
    } catch (IdempotencyUnusable e) {
      throw e;
    } catch (RuntimeException e) {
      metrics.count(call.claim.operation(), RequestOutcome.UNAVAILABLE);
      throw e;
    }
  }

  /** A request that runs in this process: the store need not be asked. */
  private static Claim.InProgress running(InFlightRequest flight) {
    return new Claim.InProgress(flight.age(), null, false);
  }

  /** The answer of the running request; empty when there is none and it is this one's turn. */
  private Optional<Response> awaitAnswer(
      Call call, InFlightRequest flight, Claim.InProgress running) throws Exception {
    Optional<WaiterLimit.Seat> free =
        isToBeWaitedFor(call, running) ? waiters.seat() : Optional.empty();
    if (free.isEmpty()) {
      return Optional.of(inProgress(call, running));
    }
    Optional<StoredResponse> answer;
    try {
      answer = flight.awaitAnswer(call.patience.left());
    } catch (TimeoutException e) {
      return Optional.of(inProgress(call, running(flight)));
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
   * Only for a request that has not run: one that has, and could not be kept, may have been
   * committed all the same.
   */
  private Response storeUnavailable(Call call, IdempotencyUnusable why) {
    metrics.count(call.claim.operation(), RequestOutcome.UNAVAILABLE);
    LOG.warn(why.getMessage());
    LOG.debug("the store could not be asked", why);
    return answers.storeUnavailable(call.guarded.key().toString(), call.guarded.path());
  }

  /** A repeat under the same key finds what was kept, or runs if nothing was. */
  private Response outcomeUnknown(Call call, IdempotencyUnusable why) {
    metrics.count(call.claim.operation(), RequestOutcome.UNAVAILABLE);
    LOG.warn(why.getMessage());
    return answers.outcomeUnknown(call.guarded.key().toString(), call.guarded.path());
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
