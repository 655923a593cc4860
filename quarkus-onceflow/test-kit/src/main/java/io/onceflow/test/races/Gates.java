package io.onceflow.test.races;

import io.onceflow.inbox.internal.participant.CommandHandler;
import io.onceflow.inbox.internal.participant.Decision;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;

/**
 * The gates of one process: places right before and right after a call to the outside world, where
 * a test may hold the call, or let the process die. The handlers know nothing of them: they are put
 * around the calls that handlers decide to make.
 */
public final class Gates {

  private final Map<Place, Gate> closed = new ConcurrentHashMap<>();
  private final HandlerTroubles troubles;

  /** Which side of the call. */
  enum Side {
    /** Nothing has happened outside. */
    BEFORE,
    /** The effect has taken place, and it is not recorded. */
    AFTER
  }

  private record Place(String type, Side side) {}

  /** What happens to a call that comes to a gate. */
  @FunctionalInterface
  private interface Act {
    void done() throws InterruptedException;
  }

  /** A gate that a call has come to, or will. */
  static final class Gate {

    private final CountDownLatch reached = new CountDownLatch(1);
    private final CountDownLatch open = new CountDownLatch(1);
    private final Act act;

    private Gate(Act act) {
      this.act = act;
    }

    boolean isReached() {
      return reached.getCount() == 0;
    }

    /** Lets the call that waits here go on. */
    void open() {
      open.countDown();
    }

    private void pass() throws InterruptedException {
      reached.countDown();
      act.done();
      open.await();
    }
  }

  /**
   * @param troubles where what handlers answer and throw is told
   */
  Gates(HandlerTroubles troubles) {
    this.troubles = troubles;
  }

  /** Holds the calls of this type of command here until the gate is opened. */
  Gate hold(String type, Side side) {
    return close(type, side, () -> {});
  }

  /** Lets the process die when a call of this type comes here; the call goes no further. */
  Gate dieAt(String type, Side side, Runnable die) {
    return close(type, side, die::run);
  }

  private Gate close(String type, Side side, Act act) {
    Gate gate = new Gate(act);
    closed.put(new Place(type, side), gate);
    return gate;
  }

  /** The same handler, whose calls pass by these gates. */
  @SuppressWarnings("unchecked") // it handles what the wrapped one handles
  public <C, S> CommandHandler<C, S> around(CommandHandler<C, S> handler) {
    return Wrapper.around(
        handler,
        CommandHandler.class,
        (method, call) -> {
          if (!method.equals("decide")) {
            return call.make();
          }
          try {
            return gated(handler.type(), (Decision<?>) Objects.requireNonNull(call.make()));
          } catch (Exception | Error e) {
            troubles.failed(handler.type(), e);
            throw e;
          }
        });
  }

  private <S> Decision<S> gated(String type, Decision<S> decision) {
    if (decision instanceof Decision.Pending<S>) {
      troubles.pending(type);
    }
    return decision instanceof Decision.CallOut<S> out
        ? Decision.callOut(() -> called(type, out.call()))
        : decision;
  }

  private <S> Decision.CallAnswer<S> called(String type, Decision.Call<S> call) throws Exception {
    pass(type, Side.BEFORE);
    Decision.CallAnswer<S> answer;
    try {
      answer = call.make();
    } catch (Exception | Error e) {
      troubles.failed(type, e);
      throw e;
    }
    if (answer instanceof Decision.Pending<S>) {
      troubles.pending(type);
    }
    pass(type, Side.AFTER);
    return answer;
  }

  private void pass(String type, Side side) throws InterruptedException {
    Gate gate = closed.get(new Place(type, side));
    if (gate != null) {
      gate.pass();
    }
  }
}
