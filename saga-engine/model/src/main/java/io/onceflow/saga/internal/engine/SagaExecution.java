package io.onceflow.saga.internal.engine;

import static io.onceflow.saga.internal.engine.HistoryEvent.SAGA_STARTED;

import io.onceflow.saga.Saga.CancelOutcome;
import io.onceflow.saga.Saga.SagaStatus;
import io.onceflow.saga.Saga.StepStatus;
import io.onceflow.saga.SagaDefinition;
import io.onceflow.saga.Step;
import io.onceflow.saga.Step.OutgoingCommand;
import io.onceflow.saga.Wait;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * A saga with its subject, moved by events. Pure: the same state, subject and events give the same
 * result. The caller stores what it comes to, and sends the commands, in one transaction.
 *
 * <ul>
 *   <li>Parts are taken one after the other, the steps of one part at the same time. A step that
 *       was sent waits for its reply; a local one runs at once.
 *   <li>A refusal, a step that timed out, the saga's deadline or a request makes the saga
 *       compensate: the parts that were taken are undone, the last one first. A refused step has
 *       done nothing and is not undone; one that timed out may have been done, and is.
 *   <li>A step without a reply is resent under the same key, at growing distances, and timed out
 *       when its attempts are used up. A compensation, and a step past the pivot, is sent until it
 *       is answered; past a limit the saga shows as stuck.
 *   <li>A participant may answer that a step is pending, where its definition lets it wait for an
 *       external event: then it does not time out, and the saga's deadline does not count, until
 *       the time of its await is over. Meanwhile it is asked at growing distances the outcome of
 *       it, since its reply may be lost. Then it is asked once more, and timed out if it is still
 *       pending or does not answer in the time of a reply. Compensation ends it at once.
 *   <li>A reply to a step that is not waiting changes nothing but the history, except that the late
 *       success of a step that timed out is compensated at once. A step remembers its reply: a copy
 *       changes nothing at all, and one that says something else is not taken.
 *   <li>A pivot that is a command is the point of no return once it is sent: it does not expire, is
 *       sent until it is answered, and only the participant's refusal makes the saga compensate.
 *   <li>Compensations, and steps past the pivot, may not be refused: such a reply changes nothing
 *       but the history, and the message is resent at its time.
 *   <li>A choice is made once, by the subject as it is then; the steps of its other branches are
 *       skipped. The items of a step are fixed when it is reached; each has a step of its own.
 *   <li>A wait of the saga itself holds only its timer. A signal ends it, once; one that comes
 *       before is kept. When its time is over the saga takes the wait's other way, or compensates;
 *       past the pivot it waits again. One that starts another saga waits for its end, and is told
 *       of that by a signal as well; when this saga is undone, the other one is told to be undone,
 *       until it is compensated.
 *   <li>A step that is best effort, or has a fallback, does not turn the saga round by its failure.
 * </ul>
 *
 * @param <D> the subject
 */
public class SagaExecution<D> {

  private final SagaDefinition<D> definition;
  private final SagaProgress<D> saga;
  private final SagaNavigator<D> navigator;
  private final ReplyHandling<D> replies;
  private final SignalHandling<D> signals;

  /**
   * @param state with every step of the definition
   */
  public SagaExecution(
      SagaDefinition<D> definition,
      ReplyBackoff backoff,
      PayloadReader payloads,
      SagaState state,
      D subject) {
    this.definition = definition;
    this.saga = new SagaProgress<>(definition, backoff, payloads, state, subject);
    this.navigator = new SagaNavigator<>(definition, saga);
    this.replies = new ReplyHandling<>(definition, saga, navigator);
    this.signals = new SignalHandling<>(definition, saga, navigator);
  }

  public final SagaDefinition<D> definition() {
    return definition;
  }

  public final SagaState state() {
    return saga.state();
  }

  public final D subject() {
    return saga.subject();
  }

  /** Whether a function of the definition was applied to the subject, maybe in place. */
  protected final boolean isSubjectChanged() {
    return saga.isSubjectChanged();
  }

  /** What the events have added to the saga's history. */
  public final List<HistoryEntry> history() {
    return Collections.unmodifiableList(saga.history());
  }

  /** The sagas that the events have started, to be stored with this one. */
  public final List<StartedChild<?>> children() {
    return Collections.unmodifiableList(saga.children());
  }

  /** The sagas that the events tell to be undone: each was started by this one. */
  public final List<UUID> undoneChildren() {
    return Collections.unmodifiableList(saga.undoneChildren());
  }

  /** What the events have sent, in this order. */
  public final List<SentCommand> commands() {
    return Collections.unmodifiableList(saga.commands());
  }

  /** A command that the saga sends; made again where an earlier attempt made it. */
  public final OutgoingCommand command(SentCommand sent) {
    return sent.command() == null
        ? definition.commandOf(sent.name()).orElseThrow().apply(subject())
        : sent.command();
  }

  /**
   * Lets an event happen.
   *
   * @param now the moment that the transition is dated; deadlines count from it
   */
  public void apply(SagaEvent event, Instant now) {
    int noted = saga.history().size();
    saga.begin(now);
    if (event instanceof SagaEvent.Retry) {
      saga.beginWhatIsAhead();
    }
    SagaState before = state();
    switch (event) {
      case SagaEvent.Started() -> start();
      case SagaEvent.Queued(String limit) -> queue(limit);
      case SagaEvent.Replied reply -> replies.take(reply);
      case SagaEvent.Signalled signal -> signals.take(signal);
      case SagaEvent.Due() -> due();
      case SagaEvent.Request request when objection(request).isPresent() -> {}
      case SagaEvent.Cancel cancel -> cancel(cancel);
      case SagaEvent.Retry retry -> retry(retry);
      case SagaEvent.Compensate compensate -> compensate(compensate);
    }
    navigator.noteWhetherStuck();
    if (!state().status().isEnd()) {
      saga.put(state().withDeadlineAfter(before, now));
    }
    if (saga.history().size() > noted) { // every change adds to the history
      saga.put(state().next());
    }
  }

  /**
   * Why the saga, as it stands, refuses a request, which then changes nothing; empty when it
   * accepts it.
   */
  public final Optional<String> objection(SagaEvent.Request request) {
    return objection(definition, state(), request);
  }

  /** The same of a saga of which no more is known. */
  public static Optional<String> objection(
      SagaDefinition<?> definition, SagaState state, SagaEvent.Request request) {
    if (state.status().isEnd()) {
      return Optional.of("it has ended as " + state.status());
    }
    return switch (request) {
      case SagaEvent.Retry retry -> Optional.empty();
      case SagaEvent.Request other when state.isPastPivot(definition) ->
          Optional.of("it has passed its pivot and only goes forward");
      case SagaEvent.Cancel cancel when state.isTurnedRound() ->
          Optional.of("it is being undone already");
      case SagaEvent.Compensate compensate when state.isTurnedRound() && waiting(state).isEmpty() ->
          Optional.of("it is being undone already; retry sends the compensation at once");
      case SagaEvent.Request other -> Optional.empty();
    };
  }

  /** The outcome that a cancellation reports for the saga as it stands (rule 10). */
  public final CancelOutcome cancelOutcome() {
    if (state().status() == SagaStatus.COMPENSATED) {
      return CancelOutcome.CANCELLED;
    }
    return state().isTurnedRound() ? CancelOutcome.COMPENSATING : CancelOutcome.TOO_LATE;
  }

  /** What a reply is to the saga as it stands. */
  public final ReplyStanding standing(SagaEvent.Replied reply) {
    return replies.standing(reply);
  }

  /**
   * What a signal is to the saga as it stands.
   *
   * @throws IllegalArgumentException if its definition has no such wait
   */
  public final SignalStanding standing(SagaEvent.Signalled signal) {
    return signals.standing(signal);
  }

  /** The steps that wait for a saga which they have started: for its end, or until it is undone. */
  public final List<Wait<D>> awaitedChildren() {
    return definition.children().isEmpty()
        ? List.of()
        : state().steps().stream()
            .filter(StepState::isAwaited)
            .flatMap(step -> definition.waitNamed(step.name()).stream())
            .filter(wait -> wait.child().isPresent())
            .toList();
  }

  private static List<StepState> waiting(SagaState state) {
    return state.steps().stream().filter(StepState::isWaiting).toList();
  }

  private void start() {
    if (state().status() == SagaStatus.QUEUED) {
      saga.put(state().admitted());
    } else {
      requireNew();
    }
    saga.note(SAGA_STARTED, null, definition.toString());
    navigator.goOn();
  }

  private void queue(String limit) {
    requireNew();
    saga.put(state().queued());
    saga.note(HistoryEvent.SAGA_QUEUED, null, limit);
  }

  private void requireNew() {
    if (state().revision() > 0) {
      throw new IllegalStateException("saga %s was started before".formatted(state().id()));
    }
  }

  private void cancel(SagaEvent.Cancel cancel) {
    saga.note(HistoryEvent.CANCEL_REQUESTED, null, cancel.description());
    navigator.goBackFor(cancel.reason());
  }

  private void compensate(SagaEvent.Compensate compensate) {
    saga.note(HistoryEvent.COMPENSATION_REQUESTED, null, compensate.description());
    navigator.endWaits("an operator has the saga undone", StepStatus.WAITING, StepStatus.AWAITING);
    navigator.goBackFor(Reasons.COMPENSATED_BY_OPERATOR);
  }

  private void retry(SagaEvent.Retry retry) {
    saga.note(HistoryEvent.RETRY_REQUESTED, null, retry.description());
    state().steps().stream()
        .filter(StepState::isAwaited)
        .flatMap(step -> sent(step).stream())
        .forEach(send -> saga.repeat(send, "at an operator's request"));
    awaitedChildren().forEach(saga::hurryChild);
  }

  private Optional<Step.Send<D>> sent(StepState step) {
    return definition.stepNamed(step.name()) instanceof Step.Send<D> send
        ? Optional.of(send)
        : Optional.empty();
  }

  private void due() {
    Instant now = saga.now();
    boolean isLate = state().isDeadlinePassed(now);
    List<StepState> expired = state().steps().stream().filter(step -> step.isExpired(now)).toList();
    boolean turnsRound = isLate || !expired.stream().allMatch(navigator::isSpared);
    state().steps().stream()
        .filter(step -> isToBeSentAgain(step, now, turnsRound))
        .flatMap(step -> sent(step).stream())
        .forEach(this::sendAgain);
    awaitedChildren().stream().filter(this::isToldAgain).forEach(saga::undoChild);
    if (isLate) {
      saga.note(HistoryEvent.DEADLINE_PASSED, null, null);
    }
    expired.forEach(step -> navigator.giveUp(step, whyExpired(step)));
    if (turnsRound) {
      navigator.goBackFor(isLate ? Reasons.DEADLINE_PASSED : Reasons.TIMED_OUT);
    } else {
      endWaits(!expired.isEmpty());
    }
  }

  /** It was told to be undone, and is not yet, or is not known to be. */
  private boolean isToldAgain(Wait<D> child) {
    StepState step = saga.step(child.name());
    return step.status() == StepStatus.COMPENSATING && step.isDue(saga.now());
  }

  private void endWaits(boolean goesOn) {
    List<Wait<D>> over =
        state().steps().stream()
            .filter(step -> step.status() == StepStatus.AWAITING && step.isDue(saga.now()))
            .flatMap(step -> definition.waitNamed(step.name()).stream())
            .toList();
    over.forEach(navigator::endWait);
    if (goesOn && over.isEmpty()) {
      navigator.goOn();
    }
  }

  private void sendAgain(Step.Send<D> step) {
    if (saga.step(step.name()).isDue(saga.now())) {
      saga.sendAgain(step);
    } else {
      saga.repeat(step, "asked while it is pending");
    }
  }

  /**
   * What waits for an external event times out when the saga starts to compensate, and is not
   * asked.
   */
  private static boolean isToBeSentAgain(StepState step, Instant now, boolean turnsRound) {
    return (step.isDue(now) || step.isToBeAsked(now))
        && !step.isExpired(now)
        && !(turnsRound && step.status() == StepStatus.AWAITING);
  }

  private static String whyExpired(StepState step) {
    return step.status() == StepStatus.AWAITING
        ? "it was pending for as long as it may be, and no reply came when it was asked once more"
        : "no reply in time";
  }
}
