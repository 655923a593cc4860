package io.onceflow.saga.internal.engine;

import static io.onceflow.saga.internal.engine.HistoryEvent.SAGA_STARTED;

import io.onceflow.saga.Saga.CancelOutcome;
import io.onceflow.saga.Saga.SagaStatus;
import io.onceflow.saga.SagaDefinition;
import io.onceflow.saga.Step;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The rules by which a saga goes forward and back: {@code (state, event, now) -> (state', effects,
 * history)}. Pure: the same arguments give the same transition.
 *
 * <ul>
 *   <li>Parts are taken one after the other, the steps of one part at the same time. A step that
 *       was sent waits for its reply; a local one runs in the same transition.
 *   <li>A refusal, a step given up on, the saga's deadline or a request turns the saga round: the
 *       parts that were taken are undone, the last one first. A refused step has done nothing and
 *       is not undone; one that was given up on may have been done, and is.
 *   <li>A step without a reply is sent again under the same key, at growing distances, and given up
 *       on when its attempts are used up. A compensation, and a step past the pivot, is sent until
 *       it is answered; past a limit the saga shows as stuck.
 *   <li>A participant may answer that a step is pending, where its definition lets it wait for the
 *       world: then it is not given up on, and the saga's deadline does not count, until the time
 *       of its await is over. Meanwhile it is asked at growing distances what has become of it,
 *       since its reply may be lost. Then it is asked once more, and given up on if it is still
 *       pending or does not answer in the time of a reply. Turning the saga round gives up on it at
 *       once.
 *   <li>A reply to a step that is not waiting changes nothing but the history, except that the late
 *       success of a step given up on is compensated at once. A step remembers its reply: a copy
 *       changes nothing at all, and one that says something else is not taken.
 *   <li>A pivot that is a command is the point of no return once it is sent: it does not expire, is
 *       sent until it is answered, and only the participant's refusal turns the saga round.
 *   <li>Compensations, and steps past the pivot, may not be refused: such a reply changes nothing
 *       but the history, and the message is sent again at its time.
 * </ul>
 */
public final class SagaEngine {

  private final SagaDefinition<?> definition;
  private final CommandScheduler sending;
  private final SagaNavigator course;
  private final ReplyHandling replies;

  public SagaEngine(SagaDefinition<?> definition, ReplyBackoff backoff) {
    this.definition = definition;
    this.sending = new CommandScheduler(definition, backoff);
    this.course = new SagaNavigator(definition, sending);
    this.replies = new ReplyHandling(definition, sending, course);
  }

  /**
   * Computes the transition of a saga for an event.
   *
   * @param now the moment that the transition is dated; deadlines count from it
   */
  public Transition apply(SagaState state, SagaEvent event, Instant now) {
    TransitionBuilder turn = new TransitionBuilder(state, now);
    switch (event) {
      case SagaEvent.Started() -> start(turn);
      case SagaEvent.Replied replied -> replies.take(turn, replied);
      case SagaEvent.Pending pending -> replies.takePending(turn, pending);
      case SagaEvent.Due() -> due(turn);
      case SagaEvent.Cancel cancel -> cancel(turn, cancel);
      case SagaEvent.Retry retry -> retry(turn, retry);
      case SagaEvent.Compensate compensate -> compensate(turn, compensate);
    }
    course.noteWhetherStuck(turn);
    if (!turn.state().status().isEnd()) {
      turn.put(turn.state().withDeadlineAfter(state, now));
    }
    return turn.end();
  }

  /**
   * Why a saga in this state refuses a request, which then changes nothing; empty when it accepts
   * it.
   */
  public Optional<String> objection(SagaState state, SagaEvent.Request request) {
    if (state.status().isEnd()) {
      return Optional.of("it has ended as " + state.status());
    }
    return switch (request) {
      case SagaEvent.Retry retry -> Optional.empty();
      case SagaEvent.Cancel cancel when course.isPastPivot(state) -> Optional.of(pastPivot());
      case SagaEvent.Cancel cancel when state.isTurnedRound() ->
          Optional.of("it is being undone already");
      case SagaEvent.Cancel cancel -> Optional.empty();
      case SagaEvent.Compensate compensate when course.isPastPivot(state) ->
          Optional.of(pastPivot());
      case SagaEvent.Compensate compensate when state.isTurnedRound() && waiting(state).isEmpty() ->
          Optional.of("it is being undone already; retry sends the compensation at once");
      case SagaEvent.Compensate compensate -> Optional.empty();
    };
  }

  /** The outcome that a cancellation reports for a saga in this state (rule 10). */
  public CancelOutcome cancelOutcome(SagaState state) {
    if (state.status() == SagaStatus.COMPENSATED) {
      return CancelOutcome.CANCELLED;
    }
    return state.isTurnedRound() ? CancelOutcome.COMPENSATING : CancelOutcome.TOO_LATE;
  }

  /** What a reply is to a saga in this state. */
  ReplyStanding standing(SagaState state, SagaEvent.Replied reply) {
    return replies.standing(state, reply);
  }

  private void start(TransitionBuilder turn) {
    if (turn.state().revision() > 0) {
      throw new IllegalStateException("saga %s was started before".formatted(turn.state().id()));
    }
    turn.note(SAGA_STARTED, null, definition.toString());
    course.goOn(turn);
  }

  private void cancel(TransitionBuilder turn, SagaEvent.Cancel cancel) {
    if (objection(turn.state(), cancel).isEmpty()) {
      turn.note(HistoryEvent.CANCEL_REQUESTED, null, cancel.told());
      course.goBackFor(turn, cancel.reason());
    }
  }

  private void compensate(TransitionBuilder turn, SagaEvent.Compensate compensate) {
    if (objection(turn.state(), compensate).isEmpty()) {
      turn.note(HistoryEvent.COMPENSATION_REQUESTED, null, compensate.told());
      giveUpAll(turn, waiting(turn.state()), "an operator has the saga undone");
      course.goBackFor(turn, Reasons.COMPENSATED_BY_OPERATOR);
    }
  }

  private void retry(TransitionBuilder turn, SagaEvent.Retry retry) {
    if (objection(turn.state(), retry).isEmpty()) {
      turn.note(HistoryEvent.RETRY_REQUESTED, null, retry.told());
      sends().stream()
          .filter(step -> turn.step(step.name()).isAwaited())
          .forEach(step -> sending.repeat(turn, step, "at an operator's request"));
    }
  }

  private void due(TransitionBuilder turn) {
    boolean late = turn.state().isDeadlinePassed(turn.now());
    List<StepState> expired =
        turn.state().steps().stream().filter(step -> step.isExpired(turn.now())).toList();
    boolean turnsRound = late || !expired.isEmpty();
    sends().stream()
        .filter(step -> isToBeSentAgain(turn.step(step.name()), turn.now(), turnsRound))
        .forEach(step -> sendAgain(turn, step));
    if (late) {
      turn.note(HistoryEvent.DEADLINE_PASSED, null, null);
    }
    if (turnsRound) {
      expired.forEach(step -> course.giveUp(turn, step, whyExpired(step)));
      course.goBackFor(turn, late ? Reasons.DEADLINE_PASSED : Reasons.TIMED_OUT);
    }
  }

  private void sendAgain(TransitionBuilder turn, Step.Send<?> step) {
    if (turn.step(step.name()).isDue(turn.now())) {
      sending.again(turn, step);
    } else {
      sending.repeat(turn, step, "asked while it is pending");
    }
  }

  /** What waits for the world is given up on when the saga turns round, and is not asked. */
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

  private void giveUpAll(TransitionBuilder turn, List<StepState> steps, String why) {
    steps.forEach(step -> course.giveUp(turn, step, why));
  }

  private static List<StepState> waiting(SagaState state) {
    return state.steps().stream()
        .filter(step -> step.status() == StepStatus.WAITING || step.status() == StepStatus.AWAITING)
        .toList();
  }

  private List<? extends Step.Send<?>> sends() {
    return definition.steps().stream()
        .filter(Step.Send.class::isInstance)
        .map(step -> (Step.Send<?>) step)
        .toList();
  }

  private static String pastPivot() {
    return "it has passed its pivot and only goes forward";
  }
}
