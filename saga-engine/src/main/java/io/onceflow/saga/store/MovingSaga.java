package io.onceflow.saga.store;

import io.onceflow.saga.CancelOutcome;
import io.onceflow.saga.Decision;
import io.onceflow.saga.HistoryEntry;
import io.onceflow.saga.Reply;
import io.onceflow.saga.SagaDecider;
import io.onceflow.saga.SagaEvent;
import io.onceflow.saga.SagaState;
import io.onceflow.saga.SagaSubject;
import io.onceflow.saga.SentCommand;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A saga of the batch in hand: as it was loaded, and as the batch's events have left it so far. */
final class MovingSaga<D extends SagaSubject<D>> {

  private final SagaOrigin origin;
  private final SagaDecider<D> decider;
  private final SagaState loadedState;
  private final D loadedSubject;
  private final List<HistoryEntry> history = new ArrayList<>();
  private final List<SagaMessage> messages = new ArrayList<>();
  private SagaState state;
  private D subject;

  MovingSaga(SagaOrigin origin, SagaDecider<D> decider, SagaState state, D subject) {
    this.origin = origin;
    this.decider = decider;
    this.loadedState = state;
    this.loadedSubject = subject;
    this.state = state;
    this.subject = subject;
  }

  void start(Instant now) {
    take(decider.start(state, subject, now));
  }

  boolean reply(Reply reply, Instant now) {
    return take(decider.reply(state, subject, reply, now));
  }

  boolean due(Instant now) {
    return take(decider.due(state, subject, now));
  }

  Optional<String> objection(SagaEvent.Request request) {
    return decider.objection(state, request);
  }

  void request(SagaEvent.Request request, Instant now) {
    take(decider.request(state, subject, request, now));
  }

  CancelOutcome cancelOutcome() {
    return decider.cancelOutcome(state);
  }

  private boolean take(Decision<D> decision) {
    state = decision.state();
    subject = decision.subject();
    history.addAll(decision.history());
    decision.commands().forEach(command -> messages.add(message(command)));
    return decision.moved();
  }

  SagaState state() {
    return state;
  }

  SagaChange change() {
    return new SagaChange(loadedState, state, history, origin);
  }

  NewSaga created() {
    return new NewSaga(origin, state, history);
  }

  List<SagaMessage> messages() {
    return messages;
  }

  Optional<D> changedSubject() {
    return subject.equals(loadedSubject) ? Optional.empty() : Optional.of(subject);
  }

  private SagaMessage message(SentCommand sent) {
    return new SagaMessage(
        state.id(),
        origin.subjectId(),
        origin.scope(),
        origin.rootKey(),
        origin.origin(),
        origin.traceparent(),
        sent.name(),
        sent.undoes(),
        sent.expiresAt(),
        sent.command());
  }
}
