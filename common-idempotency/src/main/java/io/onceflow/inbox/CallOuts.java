package io.onceflow.inbox;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Makes the calls to the outside world: of each type a bounded number at once, each with a
 * deadline. What is here when the process dies is not lost: its inbox row is still started, and a
 * successor takes it over when the lease ends.
 *
 * @param <S> the business row
 */
final class CallOuts<S> implements Calls<S> {

  private static final Logger LOG = Logger.getLogger(CallOuts.class);

  /** A call that does not heed its interruption is left behind. */
  private static final Duration STOP_WITHIN = Duration.ofSeconds(1);

  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final Map<String, CallLane> lanes = new ConcurrentHashMap<>();
  private final InboxConfig.CallOut config;
  private final Duration deadline;
  private final BatchWorker<Result<S>> results;

  /** What a call came to; exactly one of answer and failure is there. */
  record Result<S>(
      Owned<S> owned, Decision.@Nullable Answer<S> answer, @Nullable Exception failure) {}

  CallOuts(InboxConfig.CallOut config, BatchWorker<Result<S>> results) {
    this.config = config;
    this.deadline = config.deadline();
    this.results = results;
  }

  @Override
  public void start() {
    results.start();
  }

  @Override
  public int room() {
    return lanes.values().stream()
        .mapToInt(CallLane::room)
        .max()
        .orElse(config.concurrency() + config.waiting());
  }

  @Override
  public void begin(Owned<S> owned, Decision.ScopedCall<S> call) throws InterruptedException {
    CallLane lane =
        lanes.computeIfAbsent(owned.command().handler().type(), ofThatType -> new CallLane(config));
    lane.enter();
    try {
      threads.execute(() -> callAndHandOn(owned, call, lane));
    } catch (RejectedExecutionException e) {
      lane.leave();
      LOG.debugf("%s comes while this process stops; its successor calls", owned.command());
    }
  }

  private static <S> Result<S> notMade(Owned<S> owned, String why) {
    return new Result<>(owned, null, new CallNotMade(why));
  }

  /** Interrupts what is under way and hands on what came of it; the leases see to the rest. */
  @Override
  public void close() {
    threads.shutdownNow();
    try {
      threads.awaitTermination(STOP_WITHIN.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    results.finish();
  }

  private void callAndHandOn(Owned<S> owned, Decision.ScopedCall<S> call, CallLane lane) {
    try {
      results.accept(callInTurn(owned, call, lane));
    } catch (InterruptedException e) {
      LOG.debugf("%s had no turn before this process stops; its successor calls", owned.command());
    } finally {
      lane.leave();
    }
  }

  private Result<S> callInTurn(Owned<S> owned, Decision.ScopedCall<S> call, CallLane lane)
      throws InterruptedException {
    lane.awaitTurn();
    try {
      return owned.isLeaseNearlyOver(System.nanoTime(), deadline.toNanos())
          ? notMade(owned, "it waited too long for its turn")
          : await(owned, threads.submit(() -> call(owned.command(), call)));
    } finally {
      lane.endTurn();
    }
  }

  private static <S> Decision.Answer<S> call(Command<?, S> command, Decision.ScopedCall<S> call)
      throws Exception {
    return call.with(command.message().scope(), command.key());
  }

  private Result<S> await(Owned<S> owned, Future<Decision.Answer<S>> answer) {
    try {
      return new Result<>(owned, answer.get(deadline.toNanos(), TimeUnit.NANOSECONDS), null);
    } catch (TimeoutException e) {
      answer.cancel(true);
      return new Result<>(owned, null, new TimeoutException("no answer within " + deadline));
    } catch (ExecutionException e) {
      return new Result<>(owned, null, e.getCause() instanceof Exception cause ? cause : e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return new Result<>(owned, null, e);
    }
  }
}
