package io.onceflow.test.races;

import io.onceflow.participant.Answer;
import io.onceflow.participant.CallsOut;
import io.onceflow.participant.internal.HandlerInvoker;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/**
 * The gates of one process: places right before and right after a call to external systems, where a
 * test may hold the call, or let the process die. The handlers know nothing of them: they are put
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

    /** Lets the call that waits here continue. */
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

  /** The same invoker; the calls to external systems that its methods make pass by these gates. */
  public HandlerInvoker around(HandlerInvoker invoker) {
    return (method, bean, arguments) -> {
      String type = method.getParameterTypes()[0].getSimpleName();
      Callable<@Nullable Object> call = () -> invoker.call(method, bean, arguments);
      if (method.isAnnotationPresent(CallsOut.class)) {
        return called(type, call);
      }
      Object answer = answer(type, call);
      return answer instanceof Answer.Call(var callOut)
          ? Answer.callOut(() -> (Answer) called(type, callOut))
          : answer;
    };
  }

  private @Nullable Object called(String type, Callable<?> call) throws Exception {
    pass(type, Side.BEFORE);
    Object answer = answer(type, call);
    while (answer instanceof Answer.Call(var next)) {
      answer = answer(type, next);
    }
    pass(type, Side.AFTER);
    return answer;
  }

  private @Nullable Object answer(String type, Callable<?> call) throws Exception {
    Object answer;
    try {
      answer = call.call();
    } catch (Exception | Error e) {
      troubles.failed(type, e);
      throw e;
    }
    if (answer instanceof Answer.Pending) {
      troubles.pending(type);
    }
    return answer;
  }

  private void pass(String type, Side side) throws InterruptedException {
    Gate gate = closed.get(new Place(type, side));
    if (gate != null) {
      gate.pass();
    }
  }
}
