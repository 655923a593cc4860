package io.onceflow.inbox.internal.participant;

import io.onceflow.core.internal.StepKey;
import io.onceflow.inbox.internal.ReplyOutcome;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What a handler wants done about one command. It writes nothing itself: the {@link Participant}
 * carries out the decisions of all messages that wait, together.
 *
 * @param <S> the business row
 */
public sealed interface Decision<S> {

  /** Answers at once. The reply's AMQP type is its class's simple name. */
  static <S> Answer<S> reply(Object reply) {
    return reply(ReplyOutcome.DONE, reply);
  }

  /** Answers at once that the business does not do it, and that nothing was done. */
  static <S> Answer<S> refuse(Object reply) {
    return reply(ReplyOutcome.REFUSED, reply);
  }

  /** Answers at once, with this outcome. */
  static <S> Answer<S> reply(ReplyOutcome outcome, Object reply) {
    return new Answer<>(outcome, reply, List.of(), null);
  }

  /**
   * Begins an answer that leaves a tombstone for {@code step}: it has not happened, and now it
   * never will (rule 6).
   */
  static Tombstone tombstone(String step) {
    return new Tombstone(step);
  }

  /** Calls the outside world between two transactions, under this step's lease. */
  static <S> CallOut<S> callOut(Call<S> call) {
    return callOut((scope, key) -> call.with(key));
  }

  /** The same, for a call that says whose it is. */
  static <S> CallOut<S> callOut(ScopedCall<S> call) {
    return new CallOut<>(call, false);
  }

  /**
   * The same, for a compensation whose call goes by the key of the action that it undoes: where the
   * action's result is unknown, no row says under which key it was called.
   */
  static <S> CallOut<S> undo(ScopedCall<S> call) {
    return new CallOut<>(call, true);
  }

  /** Decides anew a little later, when the running step may have ended. */
  static <S> WaitFor<S> waitFor(String step) {
    return new WaitFor<>(step);
  }

  /**
   * The step is done: its outcome, rows and reply commit together.
   *
   * @param outcome what the reply says of the step; its header {@code x-outcome}
   * @param reply sent to the saga, and stored to answer again
   * @param rows business rows to write, inserted or updated
   * @param tombstone step that must never happen now, or null
   */
  record Answer<S>(ReplyOutcome outcome, Object reply, List<S> rows, @Nullable String tombstone)
      implements Decision<S> {

    /** Copies the rows. */
    public Answer {
      rows = List.copyOf(rows);
    }

    /** The same answer, with this row written beside it. */
    public Answer<S> save(S row) {
      return new Answer<>(
          outcome, reply, Stream.concat(rows.stream(), Stream.of(row)).toList(), tombstone);
    }

    Answer<S> withoutTombstone() {
      return new Answer<>(outcome, reply, rows, null);
    }
  }

  /**
   * See {@link #callOut}.
   *
   * @param isUndoing whether it is called with the key of the action, see {@link #undo}
   */
  record CallOut<S>(ScopedCall<S> call, boolean isUndoing) implements Decision<S> {}

  /** See {@link #waitFor}. */
  record WaitFor<S>(String step) implements Decision<S> {}

  /** See {@link #tombstone}. */
  record Tombstone(String step) {

    /** The answer that goes with the tombstone. */
    public <S> Answer<S> reply(Object reply) {
      return new Answer<>(ReplyOutcome.DONE, reply, List.of(), step);
    }
  }

  /** A call to the outside world. */
  @FunctionalInterface
  interface Call<S> {

    /**
     * Calls, and says what came of it. No transaction is open. It may be interrupted at its
     * deadline, and it may be made again, by this process or another: the other side must know the
     * key.
     *
     * @param key the other side's idempotency key
     * @throws Exception when nothing can be said about what happened; it is tried again
     */
    Answer<S> with(StepKey key) throws Exception;
  }

  /**
   * A {@link Call} that knows whose key it is. Two users may choose the same root key, and their
   * steps are unrelated: where the other side has one space of keys for all of them, the key alone
   * would charge one of them for both.
   */
  @FunctionalInterface
  interface ScopedCall<S> {

    /**
     * Calls, like {@link Call#with}.
     *
     * @param scope whose key it is; unique together with the key
     * @param key the other side's idempotency key within the scope
     * @throws Exception when nothing can be said about what happened; it is tried again
     */
    Answer<S> with(String scope, StepKey key) throws Exception;
  }
}
