package io.onceflow.inbox.internal.call;

import io.micrometer.core.instrument.MeterRegistry;
import io.onceflow.inbox.internal.InboxConfig;
import io.onceflow.inbox.internal.participant.PendingCall;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * Makes the calls of steps that were started, in a lane for each type of command, and has their
 * results written. How a call is made, and by which threads, is the subclass's.
 */
public abstract class CallExecutor implements AutoCloseable {

  private final Map<String, CallLane<PendingCall>> lanes = new ConcurrentHashMap<>();
  private final InboxConfig config;
  private final LaneMetrics metrics;
  private final CallMemory memory = new CallMemory();
  private final Consumer<? super CallResult> results;
  private volatile boolean isStopping;

  /**
   * @param results writes the results; must not block
   */
  protected CallExecutor(
      InboxConfig config, Consumer<? super CallResult> results, MeterRegistry metrics) {
    this.config = config;
    this.results = results;
    this.metrics = new LaneMetrics(metrics);
  }

  /** The lane of the calls that commands of this type make. */
  public final CallLane<PendingCall> lane(String type) {
    CallLane<PendingCall> lane = lanes.computeIfAbsent(type, this::newLane);
    if (isStopping) {
      lane.close();
    }
    return lane;
  }

  /** The types of command that have a lane. */
  Set<String> types() {
    return Set.copyOf(lanes.keySet());
  }

  private CallLane<PendingCall> newLane(String type) {
    CallLane<PendingCall> lane = new CallLane<>(config.callOut(), memory, new StepFootprint());
    metrics.show(type, lane);
    return lane;
  }

  /**
   * Starts each call, at once or when its turn comes. Never blocks: the step of a call that finds
   * no place is given back to the database, due at once.
   */
  public final void begin(List<PendingCall> steps) {
    for (PendingCall step : steps) {
      CallLane<PendingCall> lane = lane(step.type());
      if (lane.enter(step.scope(), step)) {
        callNext(lane);
      } else {
        results.accept(released(step, false));
      }
    }
  }

  /** Starts no more calls: those that wait, or come from now on, are given back. */
  public void release() {
    isStopping = true;
    lanes.values().stream()
        .flatMap(lane -> lane.close().stream())
        .forEach(step -> results.accept(released(step, false)));
  }

  /**
   * Calls out no more, lets what is under way end for a while, and has the results written; gives
   * the rest back.
   */
  @Override
  public abstract void close();

  /** Makes a call whose turn has come, without blocking; it ends with {@link #callNext}. */
  protected abstract void call(PendingCall step, CallLane<PendingCall> lane);

  /** Whether no call is started any more. */
  protected final boolean isStopping() {
    return isStopping;
  }

  /** Makes the calls whose turn has come. */
  protected final void callNext(CallLane<PendingCall> lane) {
    for (PendingCall next = lane.next(); next != null; next = lane.next()) {
      call(next, lane);
    }
  }

  /** How long this call may take. */
  protected final Duration deadline(PendingCall step) {
    return step.leased().command().handler().callDeadline().orElse(config.callOut().deadline());
  }

  /** A call that is not made if its lease could end before its deadline does. */
  protected final boolean isTooLate(PendingCall step, long nowNanos) {
    return step.leased().isLeaseNearlyOver(nowNanos, deadline(step).toNanos());
  }

  protected static CallResult released(PendingCall step, boolean isBegun) {
    return failed(step, new LeaseRelease(isBegun));
  }

  protected static CallResult failed(PendingCall step, Exception failure) {
    return new CallResult(step, null, failure);
  }

  /** A call that ends once: with its result, at its deadline, or when the process stops. */
  protected class Attempt {

    protected final PendingCall step;
    private final CallLane<PendingCall> lane;
    private final AtomicBoolean isEnded = new AtomicBoolean();

    protected Attempt(PendingCall step, CallLane<PendingCall> lane) {
      this.step = step;
      this.lane = lane;
    }

    public final boolean isEnded() {
      return isEnded.get();
    }

    /** Has the result written, and the next call made; what comes later is discarded. */
    public final void end(CallResult result) {
      if (isEnded.compareAndSet(false, true)) {
        ended(result);
        results.accept(result);
        lane.leave(step.scope());
        callNext(lane);
      }
    }

    /** Before the result is written. */
    protected void ended(CallResult result) {}

    protected final void notMadeInTime() {
      end(failed(step, new CallNotPermitted("it waited too long for a free slot")));
    }

    protected final void notAnsweredInTime() {
      end(failed(step, new TimeoutException("no answer within " + deadline(step))));
    }
  }

  private final class StepFootprint implements CallLane.Footprint<PendingCall> {

    @Override
    public long bytes(PendingCall step) {
      return step.bytes();
    }

    @Override
    public long waitsAtMost(PendingCall step) {
      return config.lease().minus(deadline(step)).toNanos();
    }
  }
}
