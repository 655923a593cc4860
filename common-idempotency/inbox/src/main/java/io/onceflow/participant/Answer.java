package io.onceflow.participant;

import com.fasterxml.jackson.annotation.JsonValue;
import io.onceflow.core.internal.OnceflowException;
import io.onceflow.inbox.internal.parking.ParkingReason;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
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
   * The step has started, and its outcome depends on an external event: a webhook, a person, a
   * payment that is settled later. The handler is asked again after the pause, or as soon as {@link
   * PendingSteps#decideAgain} says so; the saga waits meanwhile. Only where the saga's definition
   * lets the step wait ({@code await}); elsewhere this counts as a failed attempt. It is of no use
   * to a compensation.
   *
   * @param lookAgainAfter positive. At most an hour is waited, so that an event that got lost costs
   *     no more than that
   */
  static Pending pending(Duration lookAgainAfter) {
    return new Pending(lookAgainAfter, List.of());
  }

  /**
   * Calls another system before it answers, as a method with {@link CallsOut} does: for a handler
   * that decides in its transaction whether there is anything to call for.
   */
  static Call callOut(Callable<? extends Answer> call) {
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
      if (outcome == ReplyOutcome.PENDING) {
        throw new IllegalArgumentException(
            "a reply of outcome pending has no body and no record; return Answer.pending");
      }
      rows = List.copyOf(rows);
    }

    /** The same reply, with this row saved in the transaction that records it. */
    public Reply save(Object row) {
      return new Reply(outcome, body, Stream.concat(rows.stream(), Stream.of(row)).toList());
    }
  }

  /** See {@link #callOut}. */
  record Call(Callable<? extends Answer> call) implements Answer {}

  /**
   * See {@link #pending}.
   *
   * @param lookAgainAfter positive
   * @param rows saved in the transaction that records that the step is pending
   */
  record Pending(Duration lookAgainAfter, List<Object> rows) implements Answer {

    /** Copies the rows. */
    public Pending {
      if (!lookAgainAfter.isPositive()) {
        throw new IllegalArgumentException(
            "a pending step is checked again after %s; that has to be positive"
                .formatted(lookAgainAfter));
      }
      rows = List.copyOf(rows);
    }

    /** The same, with this row saved in the transaction that records it. */
    public Pending save(Object row) {
      return new Pending(lookAgainAfter, Stream.concat(rows.stream(), Stream.of(row)).toList());
    }
  }

  /** Why an action was not done, or why its result is unknown; its handler makes the reply. */
  enum Rejection {
    /** Its own compensation came first: it never was done, and never will be (rule 6). */
    CANCELLED,
    /**
     * It was looked at after {@code x-expires-at}: it never was started, and never will be (rule
     * 11).
     */
    EXPIRED,
    /**
     * Its attempts are used up, or its time is over, and the last word of external systems is
     * missing: it may have been done. The saga compensates it.
     */
    UNAVAILABLE
  }

  /**
   * What a reply says of its step, whatever its type; the words of the header {@code x-outcome}.
   */
  enum ReplyOutcome {
    /** The step is done; so is a compensation that found nothing to undo. */
    DONE("done"),
    /** The participant's business refuses the step; nothing was done. */
    REFUSED("refused"),
    /** The compensation came first: the step was never done and never will be (rule 6). */
    CANCELLED("cancelled"),
    /** The command was read after {@code x-expires-at}: never done, and never will be (rule 11). */
    EXPIRED("expired"),
    /** The attempts are used up and the result is unknown: the step may have been done. */
    UNAVAILABLE("unavailable"),
    /** The step has started and waits for an external event; another reply will say its outcome. */
    PENDING("pending");

    private final String word;

    ReplyOutcome(String word) {
      this.word = word;
    }

    /** The stable word for it. */
    @JsonValue
    public String word() {
      return word;
    }

    /** The outcome of this word; empty where there is none. */
    public static Optional<ReplyOutcome> of(String word) {
      return Arrays.stream(values()).filter(it -> it.word.equals(word)).findFirst();
    }

    public static ReplyOutcome of(Rejection why) {
      return switch (why) {
        case CANCELLED -> CANCELLED;
        case EXPIRED -> EXPIRED;
        case UNAVAILABLE -> UNAVAILABLE;
      };
    }
  }

  /**
   * A message that will not be handled however often it is tried; it is parked with this reason.
   */
  final class UnprocessableMessage extends OnceflowException {

    private static final long serialVersionUID = 1L;

    private final ParkingReason reason;

    /**
     * @param detail why it cannot be handled, for an operator
     */
    public UnprocessableMessage(String detail) {
      this(ParkingReason.HANDLING_FAILED, detail);
    }

    /**
     * @param reason under which it is parked
     * @param detail what is wrong with it, for an operator
     */
    public UnprocessableMessage(ParkingReason reason, String detail) {
      super(detail);
      this.reason = reason;
    }

    /** Under which it is parked. */
    public ParkingReason reason() {
      return reason;
    }
  }
}
