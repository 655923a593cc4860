package io.onceflow.inbox;

import io.onceflow.inbox.CallOuts.Result;
import io.onceflow.simulation.kernel.Kernel;
import io.onceflow.simulation.kernel.Node;
import java.time.Duration;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Makes calls as tasks of the simulation, each with a deadline; says what {@link CallOuts} says. A
 * call that does not heed its interruption goes on, and its answer is not wanted any more.
 *
 * @param <S> the business row
 */
final class VirtualCalls<S> implements Calls<S> {

  private static final Duration LOOK_AGAIN = Duration.ofMillis(20);

  private final Kernel kernel;
  private final Node node;
  private final InboxConfig.CallOut config;
  private final Arrivals<Result<S>> results;
  private int underWay;

  VirtualCalls(Kernel kernel, Node node, InboxConfig config, ResultWork<S> work) {
    this.kernel = kernel;
    this.node = node;
    this.config = config.callOut();
    this.results = new Arrivals<>(kernel, node, "call-out-results", config.batchSize(), work);
  }

  @Override
  public void start() {
    results.start();
  }

  @Override
  public int room() {
    return config.concurrency() - underWay;
  }

  @Override
  public void begin(Owned<S> owned, Decision.ScopedCall<S> call) {
    while (room() == 0) {
      kernel.sleep(LOOK_AGAIN);
    }
    if (owned.isLeaseNearlyOver(kernel.now(), config.deadline().toNanos())) {
      results.accept(new Result<>(owned, null, new CallNotMade("it waited too long for its turn")));
      return;
    }
    underWay++;
    Once once = new Once(owned);
    kernel.spawn(node, "call", () -> once.hand(answer(owned, call)));
    kernel.after(config.deadline().toNanos(), () -> once.interrupt());
  }

  private Result<S> answer(Owned<S> owned, Decision.ScopedCall<S> call) {
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

    private final Owned<S> owned;
    private final int life = node.life();
    private @Nullable Result<S> result;

    private Once(Owned<S> owned) {
      this.owned = owned;
    }

    private void hand(Result<S> of) {
      if (result == null) {
        result = of;
        underWay--;
        results.accept(of);
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
