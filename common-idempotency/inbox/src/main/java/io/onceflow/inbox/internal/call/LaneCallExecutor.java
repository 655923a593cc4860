package io.onceflow.inbox.internal.call;

import io.micrometer.core.instrument.MeterRegistry;
import io.onceflow.inbox.CircuitBreaker;
import io.onceflow.inbox.CircuitBreakers;
import io.onceflow.inbox.internal.InboxConfig;
import io.onceflow.inbox.internal.consumer.BatchWorker;
import io.onceflow.inbox.internal.consumer.UnprocessableMessage;
import io.onceflow.inbox.internal.participant.Decision;
import io.onceflow.inbox.internal.participant.LeasedCommand;
import io.onceflow.inbox.internal.participant.PendingCall;
import io.onceflow.inbox.internal.participant.ResolvedCommand;
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
import org.jspecify.annotations.Nullable;

/**
 * Makes the calls to the outside world: of each type a bounded number at once, each with a
 * deadline, and none while most of them fail. What is here when the process dies is not lost: its
 * inbox row is still started, and a successor takes it over when the lease ends.
 *
 * @param <S> the business row
 */
public final class LaneCallExecutor<S> implements CallExecutor<S> {

  private static final Logger LOG = Logger.getLogger(LaneCallExecutor.class);

  /** A call that does not heed its interruption is left behind, to its lease. */
  private static final Duration STOP_WITHIN = Duration.ofSeconds(1);

  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final CallLanes<PendingCall<S>> lanes;
  private final CircuitBreakers circuits;
  private final InboxConfig.CallOut config;
  private final Duration deadline;
  private final BatchWorker<Result<S>> results;
  private final AtomicInteger handedOver = new AtomicInteger();

  /** Nothing new is called any more. */
  private volatile boolean isStopping;

  /** What is still being called is interrupted, and what it throws says nothing. */
  private volatile boolean isCutShort;

  /** What a call came to; exactly one of answer and failure is there. */
  public record Result<S>(
      LeasedCommand<S> leased, Decision.@Nullable Answer<S> answer, @Nullable Exception failure) {}

  public LaneCallExecutor(
      InboxConfig.CallOut config, BatchWorker<Result<S>> results, MeterRegistry metrics) {
    this.config = config;
    this.lanes = new CallLanes<>(config);
    this.circuits = new CircuitBreakers(config.circuit(), metrics);
    this.deadline = config.deadline();
    this.results = results;
  }

  @Override
  public void start() {
    results.start();
  }

  @Override
  public CallLane<?> lane(String type) {
    return lanes.of(type);
  }

  @Override
  public void begin(LeasedCommand<S> leased, Decision.ScopedCall<S> call) {
    CallLane<PendingCall<S>> lane = lanes.of(leased.command().handler().type());
    if (lane.enter(scope(leased), new PendingCall<>(leased, call))) {
      callNext(lane);
    } else {
      results.accept(handedOver(leased, false));
    }
  }

  private static String scope(LeasedCommand<?> leased) {
    return leased.command().message().scope();
  }

  /** Makes the calls whose turn has come, each on a thread of its own. */
  private void callNext(CallLane<PendingCall<S>> lane) {
    for (PendingCall<S> next = lane.next(); next != null; next = lane.next()) {
      PendingCall<S> step = next;
      try {
        threads.execute(() -> callAndHandOn(step, lane));
      } catch (RejectedExecutionException e) {
        lane.leave(scope(step.leased()));
        results.accept(handedOver(step.leased(), false));
      }
    }
  }

  private Result<S> handedOver(LeasedCommand<S> leased, boolean isBegun) {
    handedOver.incrementAndGet();
    return new Result<>(leased, null, new LeaseRelease(isBegun));
  }

  private static <S> Result<S> notMade(LeasedCommand<S> leased, String why) {
    return new Result<>(leased, null, new CallNotPermitted(why));
  }

  @Override
  public void handOver() {
    isStopping = true;
    lanes.close().forEach(step -> results.accept(handedOver(step.leased(), false)));
  }

  /**
   * Lets the calls under way come to their end, for a while, and writes down what they came to. All
   * else is handed over.
   */
  @Override
  public void close() {
    if (threads.isShutdown()) {
      return;
    }
    handOver();
    threads.shutdown();
    if (!haveEndedWithin(config.stopWithin())) {
      isCutShort = true;
      threads.shutdownNow();
      haveEndedWithin(STOP_WITHIN);
    }
    results.finish();
    LOG.infof("nothing is called out for any more; %d steps are handed over", handedOver.get());
  }

  private boolean haveEndedWithin(Duration longest) {
    try {
      return threads.awaitTermination(longest.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private void callAndHandOn(PendingCall<S> step, CallLane<PendingCall<S>> lane) {
    try {
      results.accept(callInTurn(step.leased(), step.call()));
    } catch (RejectedExecutionException e) {
      results.accept(handedOver(step.leased(), false));
    } finally {
      lane.leave(scope(step.leased()));
      callNext(lane);
    }
  }

  private Result<S> callInTurn(LeasedCommand<S> leased, Decision.ScopedCall<S> call) {
    if (isStopping) {
      return handedOver(leased, false);
    }
    return leased.isLeaseNearlyOver(System.nanoTime(), deadline(leased).toNanos())
        ? notMade(leased, "it waited too long for its turn")
        : callUnlessMostFail(leased, call);
  }

  private Result<S> callUnlessMostFail(LeasedCommand<S> leased, Decision.ScopedCall<S> call) {
    CircuitBreaker circuit = circuits.of(leased.command().handler().type());
    CircuitBreaker.Permit permit = circuit.enter();
    if (permit == null) {
      return notMade(leased, "most of the latest calls failed");
    }
    Result<S> result = await(leased, threads.submit(() -> call(leased.command(), call)));
    circuit.leave(permit, resultOf(result.failure()));
    return result;
  }

  private static CircuitBreaker.Result resultOf(@Nullable Exception failure) {
    return switch (failure) {
      case null -> CircuitBreaker.Result.ANSWERED;
      case CallNotPermitted notMade -> CircuitBreaker.Result.UNKNOWN;
      case LeaseRelease interrupted -> CircuitBreaker.Result.UNKNOWN;
      case UnprocessableMessage command -> CircuitBreaker.Result.UNKNOWN;
      default -> CircuitBreaker.Result.FAILED;
    };
  }

  private static <S> Decision.Answer<S> call(
      ResolvedCommand<?, S> command, Decision.ScopedCall<S> call) throws Exception {
    return command
        .about()
        .call(
            () ->
                command
                    .callSpan()
                    .around(() -> call.with(command.message().scope(), command.key())));
  }

  private Duration deadline(LeasedCommand<S> leased) {
    return leased.command().handler().callDeadline().orElse(deadline);
  }

  private Result<S> await(LeasedCommand<S> leased, Future<Decision.Answer<S>> answer) {
    Duration longest = deadline(leased);
    try {
      return new Result<>(leased, answer.get(longest.toNanos(), TimeUnit.NANOSECONDS), null);
    } catch (TimeoutException e) {
      answer.cancel(true);
      return new Result<>(leased, null, new TimeoutException("no answer within " + longest));
    } catch (ExecutionException e) {
      if (isCutShort) {
        return handedOver(leased, true);
      }
      return new Result<>(leased, null, e.getCause() instanceof Exception cause ? cause : e);
    } catch (InterruptedException e) {
      answer.cancel(true);
      return handedOver(leased, true);
    }
  }
}
