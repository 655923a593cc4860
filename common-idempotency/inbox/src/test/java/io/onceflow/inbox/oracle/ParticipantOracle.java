package io.onceflow.inbox.oracle;

import io.onceflow.inbox.internal.InboxRow.Status;
import io.onceflow.inbox.oracle.Event.Kind;
import io.onceflow.inbox.oracle.OracleState.At;
import io.onceflow.inbox.oracle.OracleState.Books;
import io.onceflow.inbox.oracle.OracleState.Work;
import io.onceflow.participant.Answer.ReplyOutcome;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * {@code Participant.tla} as a function from a state and an event to the next state. Where the code
 * is known to do more than the specification says, this says it:
 *
 * <ul>
 *   <li>a recovery without a step takes all that is due, refunds first, also a refund that has to
 *       wait: its token grows with each look;
 *   <li>a step whose call fails is stored, and due again;
 *   <li>a refund of a charge that left no row leaves none either: see {@link OracleState#hasRow}.
 * </ul>
 *
 * <p>Pauses before another attempt have no length here: in the specification, too, a step that
 * waits may be taken over at once. The code tells an expired command from one of unknown result by
 * its attempts, the specification by its token. They are the same here, where no lane is full.
 */
final class ParticipantOracle {

  private ParticipantOracle() {}

  static OracleState start() {
    return new OracleState();
  }

  /** The next state; the one given is left as it is. */
  static OracleState after(OracleState before, Event event) {
    OracleState next = before.copy();
    switch (event.kind()) {
      case SEND -> next.queue.merge(event.ofStep(), 1, Integer::sum);
      case LOSE_COMMAND -> next.queue.merge(event.ofStep(), -1, Integer::sum);
      case RECEIVE, LOSE_REPLY -> {}
      case CANCEL -> next.isCancelled = true;
      case EXPIRE -> next.isLate = true;
      case LEASE_ENDS -> next.rows.computeIfPresent(event.ofStep(), (step, row) -> row.due());
      case CARRY_OUT -> carryOut(next, event.ofStep(), Objects.requireNonNull(event.result()));
      case TAKE -> {
        next.queue.merge(event.ofStep(), -1, Integer::sum);
        next.work.put(event.by(), new Work(At.LOOK, event.ofStep(), 0, true));
      }
      case HANDLE -> handle(next, event.by());
      case RECOVER -> recover(next, event);
      case CALL -> next.calls.add(workOf(next, event).step());
      case CONCLUDE, GIVE_UP, CALL_FAILS -> ended(next, event);
      case ACKNOWLEDGE -> next.work.remove(event.by());
      case CRASH -> {
        Work lost = Objects.requireNonNull(next.work.remove(event.by()));
        if (lost.isHeld()) {
          next.queue.merge(lost.step(), 1, Integer::sum);
        }
      }
    }
    return next;
  }

  private static Work workOf(OracleState state, Event event) {
    return Objects.requireNonNull(state.work.get(event.by()), event::toString);
  }

  private static void handle(OracleState next, Replica replica) {
    Step step = Objects.requireNonNull(next.work.get(replica)).step();
    StepRow row = next.rows.get(step);
    if (row == null) {
      begin(next, replica, step, 1, true);
      return;
    }
    next.work.put(replica, new Work(At.ACK, step, 0, true));
    switch (row.status()) {
      case STARTED -> next.rows.put(step, row.stored());
      case COMPLETED -> reply(next, step, Objects.requireNonNull(row.outcome()));
      case TOMBSTONE -> reply(next, step, ReplyOutcome.CANCELLED);
    }
  }

  private static void recover(OracleState next, Event event) {
    for (Step step : List.of(Step.REFUND, Step.CHARGE)) {
      StepRow row = next.rows.get(step);
      boolean isMeant = event.step() == null || event.step() == step;
      if (isMeant && row != null && row.isDue()) {
        begin(next, event.by(), step, row.token() + 1, false);
      }
    }
  }

  private static void begin(
      OracleState next, Replica replica, Step step, int token, boolean isHeld) {
    if (step == Step.CHARGE) {
      beginCharge(next, replica, token, isHeld);
    } else {
      beginRefund(next, replica, token, isHeld);
    }
  }

  private static void beginCharge(OracleState next, Replica replica, int token, boolean isHeld) {
    if (next.isLate) {
      complete(next, Step.CHARGE, token, late(token));
      next.work.put(replica, new Work(At.ACK, Step.CHARGE, token, isHeld));
    } else {
      call(next, replica, Step.CHARGE, token, isHeld);
    }
  }

  private static ReplyOutcome late(int token) {
    return token > 1 ? ReplyOutcome.UNAVAILABLE : ReplyOutcome.EXPIRED;
  }

  /** Rule 6. */
  private static void beginRefund(OracleState next, Replica replica, int token, boolean isHeld) {
    StepRow charge = next.rows.get(Step.CHARGE);
    Work acknowledge = new Work(At.ACK, Step.REFUND, token, isHeld);
    if (charge != null && charge.isStarted() && !charge.isAbandoned()) {
      next.rows.put(Step.REFUND, StepRow.waiting(token));
      next.work.put(replica, acknowledge);
    } else if (mayHaveBeenDone(charge)) {
      if (charge.isAbandoned()) {
        next.rows.put(Step.CHARGE, StepRow.completed(charge.token(), ReplyOutcome.UNAVAILABLE));
      }
      call(next, replica, Step.REFUND, token, isHeld);
    } else {
      complete(next, Step.REFUND, token, ReplyOutcome.DONE);
      next.rows.putIfAbsent(Step.CHARGE, StepRow.TOMBSTONE);
      next.work.put(replica, acknowledge);
    }
  }

  private static boolean mayHaveBeenDone(@Nullable StepRow charge) {
    return charge != null
        && (charge.isStarted()
            || charge.outcome() == ReplyOutcome.DONE
            || charge.outcome() == ReplyOutcome.UNAVAILABLE);
  }

  private static void call(
      OracleState next, Replica replica, Step step, int token, boolean isHeld) {
    next.rows.put(step, StepRow.leased(token, !isHeld));
    next.work.put(replica, new Work(At.CALL, step, token, isHeld));
  }

  /** An answer, the last failure of a call that has expired, or another failure. */
  private static void ended(OracleState next, Event event) {
    Work work = workOf(next, event);
    Step step = work.step();
    StepRow row = next.rows.get(step);
    if (row != null && row.status() == Status.STARTED && row.token() == work.token()) {
      switch (event.kind()) {
        case CONCLUDE -> conclude(next, step, work.token());
        case GIVE_UP -> complete(next, step, work.token(), ReplyOutcome.UNAVAILABLE);
        default -> next.rows.put(step, StepRow.waiting(work.token()));
      }
    }
    next.work.put(event.by(), new Work(At.ACK, step, work.token(), work.isHeld()));
  }

  private static void conclude(OracleState next, Step step, int token) {
    ReplyOutcome result = Objects.requireNonNull(next.seen.get(step));
    complete(next, step, token, result);
    if (step == Step.CHARGE && result == ReplyOutcome.DONE) {
      next.books = Books.PAID;
      next.hasRow = true;
    } else if (step == Step.REFUND) {
      next.books = Books.REPAID;
    }
  }

  private static void complete(OracleState next, Step step, int token, ReplyOutcome outcome) {
    next.rows.put(step, StepRow.completed(token, outcome));
    reply(next, step, outcome);
  }

  private static void reply(OracleState next, Step step, ReplyOutcome outcome) {
    next.replies.add(step + " " + outcome.word());
  }

  private static void carryOut(OracleState next, Step step, ReplyOutcome result) {
    next.calls.remove(step);
    next.seen.put(step, result);
    if (step == Step.REFUND) {
      next.refunds += next.charges > next.refunds ? 1 : 0;
      next.isVoid = true;
    } else if (result == ReplyOutcome.DONE) {
      next.charges++;
    }
  }

  /** Whether a replica's call may end so: the gateway has answered, or the charge has expired. */
  static boolean mayEnd(OracleState state, Replica replica, Kind how) {
    if (!state.isAt(At.CALL, replica)) {
      return false;
    }
    Step step = state.work.get(replica).step();
    return switch (how) {
      case CALL -> !state.seen.containsKey(step) && !state.calls.contains(step);
      case CONCLUDE -> state.seen.containsKey(step);
      case GIVE_UP -> step == Step.CHARGE && state.isLate && !state.seen.containsKey(step);
      default -> step == Step.REFUND || !state.isLate;
    };
  }
}
