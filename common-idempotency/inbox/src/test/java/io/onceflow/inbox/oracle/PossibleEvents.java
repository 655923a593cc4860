package io.onceflow.inbox.oracle;

import io.onceflow.inbox.oracle.Event.Kind;
import io.onceflow.inbox.oracle.OracleState.At;
import io.onceflow.participant.Answer.ReplyOutcome;
import java.util.ArrayList;
import java.util.List;

/** What may happen in a state, as the actions of {@code Participant.tla} are enabled. */
final class PossibleEvents {

  private static final int MOST_COPIES = 2;
  private static final List<Kind> ENDS =
      List.of(Kind.CALL, Kind.CONCLUDE, Kind.GIVE_UP, Kind.CALL_FAILS);

  private final OracleState state;
  private final List<Event> events = new ArrayList<>();

  private PossibleEvents(OracleState state) {
    this.state = state;
  }

  static List<Event> in(OracleState state) {
    PossibleEvents possible = new PossibleEvents(state);
    possible.ofSaga();
    for (Step step : Step.values()) {
      possible.ofStep(step);
    }
    for (Replica replica : Replica.values()) {
      if (state.isIdle(replica)) {
        possible.ofIdle(replica);
      } else {
        possible.ofBusy(replica);
      }
    }
    return possible.events;
  }

  private void ofSaga() {
    addIf(!state.isCancelled, Event.of(Kind.CANCEL));
    addIf(!state.isLate, Event.of(Kind.EXPIRE));
  }

  private void ofStep(Step step) {
    boolean isWanted = state.isCancelled == (step == Step.REFUND);
    addIf(isWanted && state.copies(step) < MOST_COPIES, Event.of(Kind.SEND, step));
    addIf(isQueued(step), Event.of(Kind.LOSE_COMMAND, step));
    StepRow row = state.rows.get(step);
    addIf(row != null && row.isStarted() && row.isLeased(), Event.of(Kind.LEASE_ENDS, step));
    if (state.calls.contains(step)) {
      events.add(new Event(Kind.CARRY_OUT, null, step, result(step)));
      if (step == Step.CHARGE) {
        events.add(new Event(Kind.CARRY_OUT, null, step, ReplyOutcome.REFUSED));
      }
    }
  }

  /** A charge that was refunded before it came is refused. */
  private ReplyOutcome result(Step step) {
    return step == Step.CHARGE && state.isVoid ? ReplyOutcome.REFUSED : ReplyOutcome.DONE;
  }

  private void ofIdle(Replica replica) {
    for (Step step : Step.values()) {
      addIf(isQueued(step), new Event(Kind.TAKE, replica, step, null));
    }
    addIf(state.rows.values().stream().anyMatch(StepRow::isDue), Event.of(Kind.RECOVER, replica));
  }

  private void ofBusy(Replica replica) {
    addIf(state.isAt(At.LOOK, replica), Event.of(Kind.HANDLE, replica));
    addIf(state.isAt(At.ACK, replica), Event.of(Kind.ACKNOWLEDGE, replica));
    for (Kind end : ENDS) {
      addIf(ParticipantOracle.mayEnd(state, replica, end), Event.of(end, replica));
    }
    events.add(Event.of(Kind.CRASH, replica));
  }

  private boolean isQueued(Step step) {
    return state.queue.getOrDefault(step, 0) > 0;
  }

  private void addIf(boolean isPossible, Event event) {
    if (isPossible) {
      events.add(event);
    }
  }
}
