package io.onceflow.inbox.internal.call;

import io.micrometer.core.instrument.MeterRegistry;
import io.onceflow.inbox.internal.InboxConfig;
import io.onceflow.inbox.internal.consumer.BatchWorker;
import io.onceflow.inbox.internal.participant.Decision;
import io.onceflow.inbox.internal.participant.PendingCall;
import io.onceflow.inbox.internal.participant.ResolvedCommand;
import io.onceflow.participant.Answer.UnprocessableMessage;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jboss.logging.Logger;

/**
 * Makes the calls to the outside world: of each type as many at once as its lane allows, each with
 * a deadline, and none while most of them fail. What is here when the process dies is not lost: its
 * inbox row is still started, and a successor takes it over when the lease ends.
 *
 * @param <S> the business row
 */
public final class LaneCallExecutor<S> extends CallExecutor<S> {

  private static final Logger LOG = Logger.getLogger(LaneCallExecutor.class);

  /** A call that ignores its interruption is left to its lease. */
  private static final Duration STOP_WITHIN = Duration.ofSeconds(1);

  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final CircuitBreakers circuits;
  private final Duration stopWithin;
  private final BatchWorker<Result<S>> results;
  private final AtomicInteger handedOver = new AtomicInteger();

  /** No call is begun any more. */
  private volatile boolean isStopping;

  /** Calls under way are interrupted, so their failures say nothing about the other system. */
  private volatile boolean isCutShort;

  public LaneCallExecutor(
      InboxConfig config, BatchWorker<Result<S>> results, MeterRegistry metrics) {
    super(config, metrics);
    this.circuits = new CircuitBreakers(config.callOut(), metrics);
    this.stopWithin = config.callOut().stopWithin();
    this.results = results;
  }

  @Override
  public void start() {
    results.start();
  }

  @Override
  protected void accept(Result<S> result) {
    if (result.failure() instanceof LeaseRelease) {
      handedOver.incrementAndGet();
    }
    results.accept(result);
  }

  @Override
  public void handOver() {
    isStopping = true;
    super.handOver();
  }

  @Override
  public void close() {
    if (threads.isShutdown()) {
      return;
    }
    handOver();
    threads.shutdown();
    if (!haveEndedWithin(stopWithin)) {
      isCutShort = true;
      threads.shutdownNow();
      haveEndedWithin(STOP_WITHIN);
    }
    results.finish();
    LOG.infof("no more calls are made; %s steps are handed over", handedOver.get());
  }

  private boolean haveEndedWithin(Duration longest) {
    try {
      return threads.awaitTermination(longest.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /** On a thread for this call alone. */
  @Override
  protected void call(PendingCall<S> step, CallLane<PendingCall<S>> lane) {
    try {
      threads.execute(() -> callAndHandOn(step, lane));
    } catch (RejectedExecutionException e) {
      lane.leave(step.scope());
      accept(released(step, false));
    }
  }

  private void callAndHandOn(PendingCall<S> step, CallLane<PendingCall<S>> lane) {
    try {
      accept(callInTurn(step, lane));
    } catch (RejectedExecutionException e) {
      accept(released(step, false));
    } catch (RuntimeException | Error e) {
      accept(failed(step, new IllegalStateException("the call ended in " + e, e)));
      throw e;
    } finally {
      lane.leave(step.scope());
      callNext(lane);
    }
  }

  private Result<S> callInTurn(PendingCall<S> step, CallLane<PendingCall<S>> lane) {
    if (isStopping) {
      return released(step, false);
    }
    if (isTooLate(step, System.nanoTime())) {
      return tooLate(step);
    }
    return circuits
        .of(step.type())
        .call(step.scope(), () -> measured(step, lane), LaneCallExecutor::resultOf)
        .orElseGet(() -> failed(step, new CallNotPermitted("most of the latest calls failed")));
  }

  private Result<S> measured(PendingCall<S> step, CallLane<PendingCall<S>> lane) {
    long begunNanos = System.nanoTime();
    Result<S> result = await(step, threads.submit(() -> answer(step)));
    lane.took(begunNanos, System.nanoTime(), resultOf(result));
    return result;
  }

  private static CircuitBreaker.Result resultOf(Result<?> result) {
    return switch (result.failure()) {
      case null -> CircuitBreaker.Result.ANSWERED;
      case CallNotPermitted notMade -> CircuitBreaker.Result.UNKNOWN;
      case LeaseRelease interrupted -> CircuitBreaker.Result.UNKNOWN;
      case UnprocessableMessage command -> CircuitBreaker.Result.UNKNOWN;
      default -> CircuitBreaker.Result.FAILED;
    };
  }

  private static <S> Decision.CallAnswer<S> answer(PendingCall<S> step) throws Exception {
    ResolvedCommand<?, S> command = step.leased().command();
    return command.about().call(() -> command.callSpan().around(step.call()::make));
  }

  private Result<S> await(PendingCall<S> step, Future<Decision.CallAnswer<S>> answer) {
    Duration longest = deadline(step);
    try {
      return new Result<>(step.leased(), answer.get(longest.toNanos(), TimeUnit.NANOSECONDS), null);
    } catch (TimeoutException e) {
      answer.cancel(true);
      return failed(step, new TimeoutException("no answer within " + longest));
    } catch (ExecutionException e) {
      return isCutShort
          ? released(step, true)
          : failed(step, e.getCause() instanceof Exception cause ? cause : e);
    } catch (InterruptedException e) {
      answer.cancel(true);
      return released(step, true);
    }
  }
}
