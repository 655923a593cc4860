package io.onceflow.simulation.inbox;

import io.onceflow.inbox.internal.InboxConfig;
import io.onceflow.inbox.internal.call.CallExecutor;
import io.onceflow.inbox.internal.call.CallLane;
import io.onceflow.inbox.internal.call.CallResult;
import io.onceflow.inbox.internal.call.LaneCallExecutor;
import io.onceflow.inbox.internal.participant.PendingCall;
import io.onceflow.simulation.Defaults;
import io.onceflow.simulation.kernel.Kernel;
import io.onceflow.simulation.kernel.Node;
import java.util.function.Consumer;

/**
 * Makes calls as tasks of the simulation, each with a deadline, as {@link LaneCallExecutor} does. A
 * call that ignores its interruption continues, and its answer is discarded.
 */
final class VirtualCallExecutor extends CallExecutor {

  private final Kernel kernel;
  private final Node node;

  VirtualCallExecutor(
      Kernel kernel, Node node, InboxConfig config, Consumer<? super CallResult> results) {
    super(config, results, Defaults.METRICS);
    this.kernel = kernel;
    this.node = node;
  }

  @Override
  protected void call(PendingCall step, CallLane<PendingCall> lane) {
    Call call = new Call(step, lane);
    if (isTooLate(step, kernel.now())) {
      call.notMade();
      return;
    }
    kernel.spawn(node, "call", () -> call.end(answer(step)));
    kernel.after(deadline(step).toNanos(), call::interrupt);
  }

  private CallResult answer(PendingCall step) {
    try {
      return new CallResult(step, step.make(), null);
    } catch (Exception e) {
      return failed(step, e);
    }
  }

  @Override
  public void release() {
    throw new UnsupportedOperationException("processes of the simulation do not stop, they die");
  }

  @Override
  public void close() {
    throw new UnsupportedOperationException("processes of the simulation do not stop, they die");
  }

  private final class Call extends Attempt {

    private final int life = node.life();

    private Call(PendingCall step, CallLane<PendingCall> lane) {
      super(step, lane);
    }

    private void notMade() {
      notMadeInTime();
    }

    private void interrupt() {
      if (!isEnded() && node.isUp() && node.life() == life) {
        kernel.tell(node.toString(), () -> "no answer in time to " + step.leased().command());
        notAnsweredInTime();
      }
    }
  }
}
