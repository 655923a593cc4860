package io.onceflow.simulation.inbox;

import io.onceflow.inbox.internal.InboxConfig;
import io.onceflow.inbox.internal.call.CallExecutor;
import io.onceflow.inbox.internal.call.CallLane;
import io.onceflow.inbox.internal.call.CallLanes;
import io.onceflow.inbox.internal.call.CallNotPermitted;
import io.onceflow.inbox.internal.call.CallResultWriter;
import io.onceflow.inbox.internal.call.LaneCallExecutor;
import io.onceflow.inbox.internal.call.LaneCallExecutor.Result;
import io.onceflow.inbox.internal.call.LeaseRelease;
import io.onceflow.inbox.internal.participant.Decision;
import io.onceflow.inbox.internal.participant.LeasedCommand;
import io.onceflow.inbox.internal.participant.PendingCall;
import io.onceflow.simulation.kernel.Kernel;
import io.onceflow.simulation.kernel.Node;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Makes calls as tasks of the simulation, each with a deadline, as {@link LaneCallExecutor} does. A
 * call that ignores its interruption goes on, and its answer is discarded.
 *
 * @param <S> the business row
 */
final class VirtualCallExecutor<S> implements CallExecutor<S> {

  private final Kernel kernel;
  private final Node node;
  private final InboxConfig.CallOut config;
  private final Arrivals<Result<S>> results;
  private final CallLanes<PendingCall<S>> lanes;

  VirtualCallExecutor(Kernel kernel, Node node, InboxConfig config, CallResultWriter<S> work) {
    this.kernel = kernel;
    this.node = node;
    this.config = config.callOut();
    this.lanes = new CallLanes<>(this.config);
    this.results = new Arrivals<>(kernel, node, "call-out-results", config.batchSize(), work);
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
      results.accept(new Result<>(leased, null, new LeaseRelease(false)));
    }
  }

  private static String scope(LeasedCommand<?> leased) {
    return leased.command().message().scope();
  }

  private void callNext(CallLane<PendingCall<S>> lane) {
    for (PendingCall<S> next = lane.next(); next != null; next = lane.next()) {
      call(next, lane);
    }
  }

  private void call(PendingCall<S> step, CallLane<PendingCall<S>> lane) {
    LeasedCommand<S> leased = step.leased();
    if (leased.isLeaseNearlyOver(kernel.now(), config.deadline().toNanos())) {
      results.accept(
          new Result<>(leased, null, new CallNotPermitted("it waited too long for its turn")));
      lane.leave(scope(leased));
      return;
    }
    Once once = new Once(leased, lane);
    kernel.spawn(node, "call", () -> once.hand(answer(leased, step.call())));
    kernel.after(config.deadline().toNanos(), () -> once.interrupt());
  }

  private Result<S> answer(LeasedCommand<S> leased, Decision.ScopedCall<S> call) {
    try {
      Decision.Answer<S> answer =
          call.with(leased.command().message().scope(), leased.command().key());
      return new Result<>(leased, answer, null);
    } catch (Exception e) {
      return new Result<>(leased, null, e);
    }
  }

  @Override
  public void handOver() {
    throw new UnsupportedOperationException("processes of the simulation do not stop, they die");
  }

  @Override
  public void close() {
    throw new UnsupportedOperationException("processes of the simulation do not stop, they die");
  }

  /** Hands a call's result on once. */
  private final class Once {

    private final LeasedCommand<S> leased;
    private final CallLane<PendingCall<S>> lane;
    private final int life = node.life();
    private @Nullable Result<S> result;

    private Once(LeasedCommand<S> leased, CallLane<PendingCall<S>> lane) {
      this.leased = leased;
      this.lane = lane;
    }

    private void hand(Result<S> of) {
      if (result == null) {
        result = of;
        results.accept(of);
        lane.leave(scope(leased));
        callNext(lane);
      }
    }

    private void interrupt() {
      if (result == null && node.isUp() && node.life() == life) {
        kernel.tell(node.toString(), () -> "no answer in time to " + leased.command());
        hand(new Result<>(leased, null, new TimeoutException("no answer in time")));
      }
    }
  }
}
