package io.onceflow.inbox;

import io.onceflow.inbox.CallOuts.Result;
import io.onceflow.simulation.kernel.Kernel;
import io.onceflow.simulation.kernel.Node;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Makes calls as tasks of the simulation, each with a deadline; says what {@link CallOuts} says. A
 * call that does not heed its interruption goes on, and its answer is not wanted any more.
 *
 * @param <S> the business row
 */
final class VirtualCalls<S> implements Calls<S> {

  private final Kernel kernel;
  private final Node node;
  private final InboxConfig.CallOut config;
  private final Arrivals<Result<S>> results;
  private final CallLanes<PendingCall<S>> lanes;

  VirtualCalls(Kernel kernel, Node node, InboxConfig config, ResultWork<S> work) {
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
  public void begin(LeasedCommand<S> owned, Decision.ScopedCall<S> call) {
    CallLane<PendingCall<S>> lane = lanes.of(owned.command().handler().type());
    if (lane.enter(scope(owned), new PendingCall<>(owned, call))) {
      callNext(lane);
    } else {
      results.accept(new Result<>(owned, null, new HandedOver(false)));
    }
  }

  private static String scope(LeasedCommand<?> owned) {
    return owned.command().message().scope();
  }

  private void callNext(CallLane<PendingCall<S>> lane) {
    for (PendingCall<S> next = lane.next(); next != null; next = lane.next()) {
      call(next, lane);
    }
  }

  private void call(PendingCall<S> step, CallLane<PendingCall<S>> lane) {
    LeasedCommand<S> owned = step.owned();
    if (owned.isLeaseNearlyOver(kernel.now(), config.deadline().toNanos())) {
      results.accept(new Result<>(owned, null, new CallNotMade("it waited too long for its turn")));
      lane.leave(scope(owned));
      return;
    }
    Once once = new Once(owned, lane);
    kernel.spawn(node, "call", () -> once.hand(answer(owned, step.call())));
    kernel.after(config.deadline().toNanos(), () -> once.interrupt());
  }

  private Result<S> answer(LeasedCommand<S> owned, Decision.ScopedCall<S> call) {
    try {
      Decision.Answer<S> answer =
          call.with(owned.command().message().scope(), owned.command().key());
      return new Result<>(owned, answer, null);
    } catch (Exception e) {
      return new Result<>(owned, null, e);
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

    private final LeasedCommand<S> owned;
    private final CallLane<PendingCall<S>> lane;
    private final int life = node.life();
    private @Nullable Result<S> result;

    private Once(LeasedCommand<S> owned, CallLane<PendingCall<S>> lane) {
      this.owned = owned;
      this.lane = lane;
    }

    private void hand(Result<S> of) {
      if (result == null) {
        result = of;
        results.accept(of);
        lane.leave(scope(owned));
        callNext(lane);
      }
    }

    private void interrupt() {
      if (result == null && node.isUp() && node.life() == life) {
        kernel.tell(node.toString(), () -> "no answer in time to " + owned.command());
        hand(new Result<>(owned, null, new TimeoutException("no answer in time")));
      }
    }
  }
}
