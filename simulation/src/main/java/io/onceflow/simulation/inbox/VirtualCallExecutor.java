package io.onceflow.simulation.inbox;

import io.onceflow.inbox.internal.InboxConfig;
import io.onceflow.inbox.internal.call.CallExecutor;
import io.onceflow.inbox.internal.call.CallLane;
import io.onceflow.inbox.internal.call.CallResultWriter;
import io.onceflow.inbox.internal.call.LaneCallExecutor;
import io.onceflow.inbox.internal.participant.PendingCall;
import io.onceflow.simulation.Defaults;
import io.onceflow.simulation.kernel.Kernel;
import io.onceflow.simulation.kernel.Node;
import java.util.concurrent.TimeoutException;

/**
 * Makes calls as tasks of the simulation, each with a deadline, as {@link LaneCallExecutor} does. A
 * call that ignores its interruption goes on, and its answer is discarded.
 *
 * @param <S> the business row
 */
final class VirtualCallExecutor<S> extends CallExecutor<S> {

  private final Kernel kernel;
  private final Node node;
  private final Arrivals<Result<S>> results;

  VirtualCallExecutor(Kernel kernel, Node node, InboxConfig config, CallResultWriter<S> work) {
    super(config, Defaults.METRICS);
    this.kernel = kernel;
    this.node = node;
    this.results = new Arrivals<>(kernel, node, "call-out-results", config.batchSize(), work);
  }

  @Override
  public void start() {
    results.start();
  }

  @Override
  protected void accept(Result<S> result) {
    results.accept(result);
  }

  @Override
  protected void call(PendingCall<S> step, CallLane<PendingCall<S>> lane) {
    if (isTooLate(step, kernel.now())) {
      accept(tooLate(step));
      lane.leave(step.scope());
      return;
    }
    Once once = new Once(step, lane);
    kernel.spawn(node, "call", () -> once.hand(answer(step)));
    kernel.after(deadline(step).toNanos(), once::interrupt);
  }

  private Result<S> answer(PendingCall<S> step) {
    try {
      return new Result<>(step.leased(), step.call().make(), null);
    } catch (Exception e) {
      return failed(step, e);
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

    private final PendingCall<S> step;
    private final CallLane<PendingCall<S>> lane;
    private final int life = node.life();
    private boolean isHandedOn;

    private Once(PendingCall<S> step, CallLane<PendingCall<S>> lane) {
      this.step = step;
      this.lane = lane;
    }

    private void hand(Result<S> result) {
      if (!isHandedOn) {
        isHandedOn = true;
        accept(result);
        lane.leave(step.scope());
        callNext(lane);
      }
    }

    private void interrupt() {
      if (!isHandedOn && node.isUp() && node.life() == life) {
        kernel.tell(node.toString(), () -> "no answer in time to " + step.leased().command());
        hand(failed(step, new TimeoutException("no answer in time")));
      }
    }
  }
}
