package io.onceflow.test.races;

import io.onceflow.core.internal.StepKey;
import io.onceflow.inbox.internal.participant.CommandHandler;
import io.onceflow.inbox.internal.participant.Decision;
import io.onceflow.inbox.internal.participant.ParticipantRepository;
import io.onceflow.inbox.internal.participant.Rejection;
import io.onceflow.inbox.internal.participant.StepView;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;

/**
 * The gates of one process: places right before and right after a call to the outside world, where
 * a test may hold the call, or let the process die. The handlers know nothing of them: they are put
 * around the calls that handlers decide to make.
 */
public final class Gates {

  private final Map<Place, Gate> closed = new ConcurrentHashMap<>();

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

  Gates() {}

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
  public <C, S> CommandHandler<C, S> around(CommandHandler<C, S> handler) {
    return new Gated<>(handler, this);
  }

  private void pass(String type, Side side) throws InterruptedException {
    Gate gate = closed.get(new Place(type, side));
    if (gate != null) {
      gate.pass();
    }
  }

  private record Gated<C, S>(CommandHandler<C, S> handler, Gates gates)
      implements CommandHandler<C, S> {

    @Override
    public Decision<S> decide(C command, StepView<S> step) {
      Decision<S> decision = handler.decide(command, step);
      return decision instanceof Decision.CallOut<S> out
          ? new Decision.CallOut<>((scope, key) -> call(out.call(), scope, key), out.isUndoing())
          : decision;
    }

    private Decision.Answer<S> call(Decision.ScopedCall<S> call, String scope, StepKey key)
        throws Exception {
      gates.pass(type(), Side.BEFORE);
      Decision.Answer<S> answer = call.with(scope, key);
      gates.pass(type(), Side.AFTER);
      return answer;
    }

    @Override
    public String type() {
      return handler.type();
    }

    @Override
    public String step() {
      return handler.step();
    }

    @Override
    public Class<C> payload() {
      return handler.payload();
    }

    @Override
    public Optional<String> undoes() {
      return handler.undoes();
    }

    @Override
    public UUID subject(C command) {
      return handler.subject(command);
    }

    @Override
    public Object notDone(C command, Rejection why) {
      return handler.notDone(command, why);
    }

    @Override
    public ParticipantRepository<S> rows(ParticipantRepository<S> ofParticipant) {
      return handler.rows(ofParticipant);
    }

    @Override
    public Optional<Duration> callDeadline() {
      return handler.callDeadline();
    }

    @Override
    public OptionalInt callAttempts() {
      return handler.callAttempts();
    }
  }
}
