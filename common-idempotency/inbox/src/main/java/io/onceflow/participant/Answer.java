package io.onceflow.participant;

import io.onceflow.inbox.internal.ReplyOutcome;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What a handler returns about a command. */
public sealed interface Answer {

  /** The step is done; the reply has the AMQP type {@code StepDone} and an empty body. */
  static Reply done() {
    return new Reply(ReplyOutcome.DONE, null, List.of());
  }

  /**
   * The step is done.
   *
   * @param reply a record; its simple name is the AMQP type
   */
  static Reply done(Record reply) {
    return of(ReplyOutcome.DONE, reply);
  }

  /** The step is refused, and nothing was done; the AMQP type is {@code StepRefused}. */
  static Reply refused() {
    return new Reply(ReplyOutcome.REFUSED, null, List.of());
  }

  /** The step is refused, and nothing was done. */
  static Reply refused(Record reply) {
    return of(ReplyOutcome.REFUSED, reply);
  }

  /** A reply with this outcome. */
  static Reply of(ReplyOutcome outcome, Record reply) {
    return new Reply(outcome, reply, List.of());
  }

  /**
   * Calls another system before it answers, as a method with {@link CallsOut} does: for a handler
   * that decides in its transaction whether there is anything to call for.
   */
  static Call callOut(Callable<Reply> call) {
    return new Call(call);
  }

  /**
   * A reply, and what is saved with it.
   *
   * @param outcome the header {@code x-outcome}
   * @param body null for an empty one
   * @param rows saved in the transaction that records the outcome
   */
  record Reply(ReplyOutcome outcome, @Nullable Record body, List<Object> rows) implements Answer {

    /** Copies the rows. */
    public Reply {
      rows = List.copyOf(rows);
    }

    /** The same reply, with this row saved in the transaction that records it. */
    public Reply save(Object row) {
      return new Reply(outcome, body, Stream.concat(rows.stream(), Stream.of(row)).toList());
    }
  }

  /** See {@link #callOut}. */
  record Call(Callable<Reply> call) implements Answer {}
}
