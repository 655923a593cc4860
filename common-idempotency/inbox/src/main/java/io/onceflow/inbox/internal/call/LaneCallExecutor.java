package io.onceflow.inbox.internal.call;

import io.micrometer.core.instrument.MeterRegistry;
import io.onceflow.inbox.internal.InboxConfig;
import io.onceflow.inbox.internal.participant.PendingCall;
import io.onceflow.inbox.internal.participant.ResolvedCommand;
import io.onceflow.participant.Answer;
import io.onceflow.participant.Answer.UnprocessableMessage;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Makes the calls to external systems, each on a virtual thread: of each type as many at once as
 * its lane allows, each with a deadline, and none while most of them fail. What is here when the
 * process dies is not lost: its inbox row is still started, and a successor takes it over when the
 * lease ends.
 */
public final class LaneCallExecutor extends CallExecutor {

  private static final Logger LOG = Logger.getLogger(LaneCallExecutor.class);

  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final ScheduledThreadPoolExecutor deadlines =
      new ScheduledThreadPoolExecutor(
          1, Thread.ofPlatform().name("call-deadlines").daemon().factory());
  private final Set<Call> underWay = ConcurrentHashMap.newKeySet();
  private final CircuitBreakers circuits;
  private final Duration stopWithin;

  /** Calls under way are interrupted, so their failures say nothing about the other system. */
  private volatile boolean isCutShort;

  public LaneCallExecutor(
      InboxConfig config, Consumer<? super CallResult> results, MeterRegistry metrics) {
    super(config, results, metrics);
    this.circuits = new CircuitBreakers(config.callOut(), metrics);
    this.stopWithin = config.callOut().stopWithin();
    deadlines.setRemoveOnCancelPolicy(true);
  }

  @Override
  public void close() {
    if (threads.isShutdown()) {
      return;
    }
    release();
    threads.shutdown();
    if (!haveEndedWithin(stopWithin)) {
      isCutShort = true;
      // A call that ignores its interruption is left to its lease's next owner.
      underWay.forEach(call -> call.end(released(call.step, true)));
      threads.shutdownNow();
    }
    deadlines.shutdownNow();
    LOG.info("no more calls are made; steps that wait for one are released");
  }

  private boolean haveEndedWithin(Duration longest) {
    try {
      return threads.awaitTermination(longest.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  @Override
  protected void call(PendingCall step, CallLane<PendingCall> lane) {
    Call call = new Call(step, lane);
    try {
      threads.execute(call);
    } catch (RejectedExecutionException e) {
      call.end(released(step, false));
    }
  }

  private static CircuitBreaker.Result resultOf(CallResult result) {
    return switch (result.failure()) {
      case null -> CircuitBreaker.Result.ANSWERED;
      case CallNotPermitted notMade -> CircuitBreaker.Result.UNKNOWN;
      case LeaseRelease interrupted -> CircuitBreaker.Result.UNKNOWN;
      case UnprocessableMessage command -> CircuitBreaker.Result.UNKNOWN;
      default -> CircuitBreaker.Result.FAILED;
    };
  }

  private final class Call extends Attempt implements Runnable {

    private final CallLane<PendingCall> lane;
    private SharedCircuitBreaker.@Nullable Entry entry;
    private long begunNanos;

    private Call(PendingCall step, CallLane<PendingCall> lane) {
      super(step, lane);
      this.lane = lane;
    }

    @Override
    public void run() {
      if (isStopping()) {
        end(released(step, false));
      } else if (isTooLate(step, System.nanoTime())) {
        notMadeInTime();
      } else {
        entry = circuits.of(step.type()).enter(step.scope());
        if (entry == null) {
          end(failed(step, new CallNotPermitted("most of the latest calls failed")));
        } else {
          make();
        }
      }
    }

    private void make() {
      begunNanos = System.nanoTime();
      underWay.add(this);
      Future<?> deadline = null;
      try {
        deadline = atDeadline(Thread.currentThread());
        end(new CallResult(step, answer(), null));
      } catch (Exception e) {
        end(isCutShort ? released(step, true) : failed(step, e));
      } catch (Error e) {
        end(failed(step, new IllegalStateException("the call ended in " + e, e)));
      } finally {
        if (deadline != null) {
          deadline.cancel(false);
        }
        underWay.remove(this);
      }
    }

    private Future<?> atDeadline(Thread caller) {
      return deadlines.schedule(
          () -> {
            notAnsweredInTime();
            caller.interrupt();
          },
          deadline(step).toNanos(),
          TimeUnit.NANOSECONDS);
    }

    private Answer answer() throws Exception {
      ResolvedCommand command = step.leased().command();
      return command.about().call(() -> command.callSpan().around(step::make));
    }

    @Override
    protected void ended(CallResult result) {
      SharedCircuitBreaker.Entry by = entry;
      if (by != null) {
        lane.took(begunNanos, System.nanoTime(), resultOf(result));
        circuits.of(step.type()).leave(step.scope(), by, resultOf(result));
      }
    }
  }
}
