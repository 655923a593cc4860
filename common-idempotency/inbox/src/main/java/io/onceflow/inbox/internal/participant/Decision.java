package io.onceflow.inbox.internal.participant;

import io.onceflow.participant.Answer.ReplyOutcome;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/**
 * What a handler decides about one command. The {@link Participant} carries out the decisions of a
 * batch of commands together.
 *
 * @param <S> the business row
 */
public sealed interface Decision<S> {

  /** Answers at once. The reply's AMQP type is its class's simple name. */
  static <S> Answer<S> reply(Object reply) {
    return reply(ReplyOutcome.DONE, reply);
  }

  /** Answers at once, with this outcome. */
  static <S> Answer<S> reply(ReplyOutcome outcome, Object reply) {
    return new Answer<>(outcome, reply, List.of(), false);
  }

  /**
   * Answers that there was nothing to undo, and leaves a tombstone in the action's place: it has
   * not happened, and never will (rule 6).
   */
  static <S> Answer<S> tombstone(Object reply) {
    return new Answer<>(ReplyOutcome.DONE, reply, List.of(), true);
  }

  /** Calls another system between two transactions, under this step's lease. */
  static <S> CallOut<S> callOut(Call<S> call) {
    return new CallOut<>(call, List.of());
  }

  /** Decides again a little later, when the running action may have ended. */
  static <S> WaitForAction<S> waitForAction() {
    return new WaitForAction<>();
  }

  /**
   * The step is done: its outcome, rows and reply commit together.
   *
   * @param outcome what the reply says of the step; its header {@code x-outcome}
   * @param reply sent to the saga, and stored to answer again
   * @param rows business rows to write, inserted or updated
   * @param isTombstone whether the action that it undoes must never happen
   */
  record Answer<S>(ReplyOutcome outcome, Object reply, List<S> rows, boolean isTombstone)
      implements CallAnswer<S> {

    /** Copies the rows. */
    public Answer {
      rows = List.copyOf(rows);
    }

    /** The same answer, with this row written beside it. */
    public Answer<S> save(S row) {
      return new Answer<>(
          outcome, reply, Stream.concat(rows.stream(), Stream.of(row)).toList(), isTombstone);
    }

    Answer<S> withoutTombstone() {
      return new Answer<>(outcome, reply, rows, false);
    }
  }

  /**
   * What a call to another system came to: it has answered, or will.
   *
   * @param <S> the business row
   */
  sealed interface CallAnswer<S> extends Decision<S> {

    /** Business rows to write, inserted or updated. */
    List<S> rows();
  }

  /**
   * The step has begun and rests, since its outcome depends on the world.
   *
   * @param lookAgainAfter after how long the handler is asked again; positive
   * @param rows business rows to write, inserted or updated
   */
  record Pending<S>(Duration lookAgainAfter, List<S> rows) implements CallAnswer<S> {

    /** Copies the rows. */
    public Pending {
      rows = List.copyOf(rows);
    }
  }

  /**
   * See {@link #callOut}.
   *
   * @param seen the subject's rows as the handler saw them, if they are compared before the call's
   *     result is written
   */
  record CallOut<S>(Call<S> call, List<S> seen) implements Decision<S> {

    CallOut<S> seeing(List<S> rows) {
      return new CallOut<>(call, List.copyOf(rows));
    }
  }

  /** See {@link #waitForAction}. */
  record WaitForAction<S>() implements Decision<S> {}

  /** A call to another system. */
  @FunctionalInterface
  interface Call<S> {

    /**
     * Calls, and returns the answer. No transaction is open. It may be interrupted at its deadline,
     * and it may be made again, by this process or another: the other system must recognize it by
     * an idempotency key.
     *
     * @throws Exception when the result is unknown; the call is made again
     */
    CallAnswer<S> make() throws Exception;
  }
}
