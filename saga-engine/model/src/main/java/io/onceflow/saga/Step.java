package io.onceflow.saga;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** One unit of a saga. */
public sealed interface Step<D extends SagaSubject<D>> extends Part<D>
    permits Step.Send, Step.Run, Step.Pivot {

  /** Unique among the definition's steps and compensations; the last part of the step key. */
  String name();

  @Override
  default List<Step<D>> members() {
    return List.of(this);
  }

  /** What undoes this step; empty when nothing has to. */
  default Optional<Compensation<D>> compensation() {
    return Optional.empty();
  }

  /**
   * A step that a participant takes: a command is sent and its reply awaited.
   *
   * @param command makes the command from the subject. A step is sent again until it is answered,
   *     always under the same key, and a participant refuses a known key with another payload: so
   *     the command has to be the same each time, made only from what no longer changes.
   * @param undo null when nothing has to be undone
   * @param replyWithin how long to wait for the reply before the command is sent again
   * @param attempts how often it is sent before it is given up on, from 1 on. Then it may or may
   *     not have taken effect, and is compensated (rule 8). Past the pivot nothing is given up on.
   */
  record Send<D extends SagaSubject<D>>(
      String name,
      Function<D, Command> command,
      @Nullable Compensation<D> undo,
      Duration replyWithin,
      int attempts)
      implements Step<D> {

    /**
     * With a first wait of ten seconds, doubled each time up to five minutes, about half an hour:
     * long enough for a participant to be restarted or rolled back, and no longer than a customer
     * may be left without an answer.
     */
    public static final int DEFAULT_ATTEMPTS = 10;

    /** The same step, given up on after this many attempts. */
    public Send<D> attempts(int most) {
      return new Send<>(name, command, undo, replyWithin, most);
    }

    @Override
    public Optional<Compensation<D>> compensation() {
      return Optional.ofNullable(undo);
    }
  }

  /**
   * A step on the subject itself, taken in the transaction of the reply that reached it. It cannot
   * be refused; what it did is undone by {@link SagaSubject#compensated}.
   */
  record Run<D extends SagaSubject<D>>(String name, UnaryOperator<D> action) implements Step<D> {}

  /** The point of no return: a local step after which the saga only goes forward. */
  record Pivot<D extends SagaSubject<D>>(String name, UnaryOperator<D> action) implements Step<D> {}

  /** A step that has its name and is yet to say what it does. */
  record Named(String name) {

    /** Sends a command to a participant; see {@link Send#command()} for what it must keep to. */
    public <D extends SagaSubject<D>> Sending<D> send(Function<D, Command> command) {
      return new Sending<>(name, command);
    }

    /** Changes the subject, locally and at once. */
    public <D extends SagaSubject<D>> Step<D> run(UnaryOperator<D> action) {
      return new Run<>(name, action);
    }
  }

  /** A pivot that has its name and is yet to say what it does. */
  record NamedPivot(String name) {

    /** Changes the subject, locally and at once; from here on the saga only goes forward. */
    public <D extends SagaSubject<D>> Step<D> run(UnaryOperator<D> action) {
      return new Pivot<>(name, action);
    }
  }

  /** A sent step that is yet to say how long to wait: without a deadline it is not a step. */
  record Sending<D extends SagaSubject<D>>(String name, Function<D, Command> command) {

    /** Names what undoes the step. */
    public Compensated<D> compensateWith(String compensation, Function<D, Command> command) {
      return new Compensated<>(this, new Compensation<>(compensation, command));
    }

    /** Says how long to wait for a reply before the command is sent again; positive. */
    public Send<D> replyWithin(Duration duration) {
      return new Send<>(name, command, null, duration, Send.DEFAULT_ATTEMPTS);
    }
  }

  /** A sent step that can be undone and is yet to say how long to wait. */
  record Compensated<D extends SagaSubject<D>>(Sending<D> step, Compensation<D> compensation) {

    /** Says how long to wait for either's reply before it is sent again; positive. */
    public Send<D> replyWithin(Duration duration) {
      return new Send<>(step.name(), step.command(), compensation, duration, Send.DEFAULT_ATTEMPTS);
    }
  }
}
