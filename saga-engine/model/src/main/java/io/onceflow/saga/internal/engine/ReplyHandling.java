package io.onceflow.saga.internal.engine;

import static io.onceflow.saga.internal.engine.HistoryEvent.LATE_SUCCESS;
import static io.onceflow.saga.internal.engine.HistoryEvent.REFUSAL_IGNORED;
import static io.onceflow.saga.internal.engine.HistoryEvent.REPLY_IGNORED;

import io.onceflow.saga.SagaDefinition;
import io.onceflow.saga.Step;
import java.util.Optional;

/** What a reply makes of a saga (rule 7). */
final class ReplyHandling {

  private final SagaDefinition<?> definition;
  private final CommandScheduler sending;
  private final SagaNavigator course;

  ReplyHandling(SagaDefinition<?> definition, CommandScheduler sending, SagaNavigator course) {
    this.definition = definition;
    this.sending = sending;
    this.course = course;
  }

  /** What the step that is answered, or its compensation, remembers decides. */
  ReplyStanding standing(SagaState state, SagaEvent.Replied reply) {
    Optional<StepState> action = state.step(reply.step());
    if (action.isPresent()) {
      StepState step = action.get();
      boolean isTaken = isWaiting(step) || (reply.refusal() == null && step.isGivenUp());
      return standing(step.action(), isTaken, reply, endsAction(step, reply));
    }
    return definition
        .compensatedBy(reply.step())
        .flatMap(step -> state.step(step.name()))
        .map(
            step -> {
              boolean isTaken = step.status() == StepStatus.COMPENSATING;
              return standing(step.compensation(), isTaken, reply, reply.refusal() == null);
            })
        .orElse(ReplyStanding.UNASKED);
  }

  /** A reply to an earlier attempt, which ended nothing, may come after the one that did. */
  private static ReplyStanding standing(
      RequestState asked, boolean isTaken, SagaEvent.Replied reply, boolean isEnd) {
    if (asked.attempts() == 0) {
      return ReplyStanding.UNASKED;
    }
    if (reply.hash().equals(asked.reply())) {
      return ReplyStanding.REPEATED;
    }
    if (isTaken || asked.reply() == null) {
      return ReplyStanding.NEW;
    }
    return isEnd ? ReplyStanding.CONTRADICTS : ReplyStanding.REPEATED;
  }

  /**
   * Whether such a reply says for good what became of a step. One in doubt does not, and so
   * contradicts no other; after a refusal past the pivot the command is sent again.
   */
  private boolean endsAction(StepState step, SagaEvent.Replied reply) {
    return reply.refusal() == null
        || !reply.inDoubt()
            && (isPivot(step) || !definition.isPastPivot(definition.stepNamed(step.name())));
  }

  private static boolean isWaiting(StepState step) {
    return step.status() == StepStatus.WAITING || step.status() == StepStatus.AWAITING;
  }

  /** One that is not {@link ReplyStanding#NEW} changes nothing, not even the history. */
  void take(TransitionBuilder turn, SagaEvent.Replied reply) {
    if (standing(turn.state(), reply) != ReplyStanding.NEW) {
      return;
    }
    Optional<StepState> action = turn.state().step(reply.step());
    if (action.isPresent()) {
      actionReplied(turn, action.get(), reply);
    } else {
      Step<?> undone = definition.compensatedBy(reply.step()).orElseThrow();
      compensationReplied(turn, turn.step(undone.name()), reply);
    }
  }

  /** A copy of one that counted changes nothing, not even the history: it may come often. */
  void takePending(TransitionBuilder turn, SagaEvent.Pending pending) {
    StepState step = turn.state().step(pending.step()).orElse(null);
    if (step != null && step.isAskedOnceMore()) {
      course.giveUp(turn, step, "it was pending for as long as it may be");
      course.goBackFor(turn, Reasons.TIMED_OUT);
    } else if (step != null && step.status() == StepStatus.WAITING) {
      becomePending(turn, step, pending);
    }
  }

  private void becomePending(TransitionBuilder turn, StepState step, SagaEvent.Pending pending) {
    if (!(definition.stepNamed(step.name()) instanceof Step.Send<?> send)
        || send.await().isEmpty()) {
      String why = step.name() + " is not awaited by its definition";
      turn.note(REPLY_IGNORED, step.name(), pending.type() + ": " + why);
    } else if (turn.state().isTurnedRound()) {
      course.giveUp(turn, step, "it is pending, and the saga is undone");
      course.goOn(turn);
    } else {
      sending.await(turn, send, send.await().get());
    }
  }

  private void actionReplied(TransitionBuilder turn, StepState step, SagaEvent.Replied reply) {
    if (isWaiting(step)) {
      awaitedActionReplied(turn, step, reply);
    } else if (reply.refusal() == null && step.isGivenUp()) {
      succeededLate(turn, step, reply);
    } else {
      turn.put(step.noted(reply.hash()));
      turn.note(
          REPLY_IGNORED,
          step.name(),
          "%s: %s is %s".formatted(reply.type(), step.name(), step.status()));
    }
  }

  private void awaitedActionReplied(
      TransitionBuilder turn, StepState step, SagaEvent.Replied reply) {
    if (reply.refusal() == null) {
      turn.put(step.succeeded(turn.now(), reply.hash()));
      turn.emit(new Effect.NoteReply());
      turn.note(HistoryEvent.SUCCEEDED, step.name(), reply.told());
      if (isPivot(step)) {
        turn.note(HistoryEvent.PIVOT_PASSED, step.name(), null);
      }
      course.goOn(turn);
    } else if (course.isPastPivot(turn.state()) && !refusesPivot(step, reply)) {
      turn.put(step.noted(reply.hash()));
      turn.note(REFUSAL_IGNORED, step.name(), reply.told());
    } else {
      failed(turn, step, reply, reply.refusal());
    }
  }

  /** A pivot that may have taken effect is not undone: it is sent until it is answered. */
  private boolean refusesPivot(StepState step, SagaEvent.Replied reply) {
    return isPivot(step) && !reply.inDoubt();
  }

  private boolean isPivot(StepState step) {
    return definition.stepNamed(step.name()).isPivot();
  }

  private void failed(
      TransitionBuilder turn, StepState step, SagaEvent.Replied reply, String reason) {
    if (reply.inDoubt()) {
      course.giveUp(turn, step.noted(reply.hash()), reply.told());
    } else {
      turn.put(step.refused(turn.now(), reply.hash()));
      turn.emit(new Effect.NoteReply());
      turn.note(HistoryEvent.REFUSED, step.name(), reply.told());
    }
    course.goBackFor(turn, reason);
  }

  /**
   * Handles the success of a step that was given up on. A participant that keeps rule 6 has undone
   * the step, or will; for a participant that does not, the saga sends the compensation again at
   * once. If the compensation was answered before, the saga does not wait for a second answer: the
   * participant would only repeat the first.
   */
  private void succeededLate(TransitionBuilder turn, StepState step, SagaEvent.Replied reply) {
    turn.note(LATE_SUCCESS, step.name(), reply.told());
    if (definition.stepNamed(step.name()) instanceof Step.Send<?> send) {
      switch (step.status()) {
        case COMPENSATING -> {
          turn.put(step.succeededLate(turn.now(), reply.hash()));
          sending.again(turn, send);
        }
        case COMPENSATED -> {
          turn.put(step.succeededLate(turn.now(), reply.hash()));
          sending.compensationOnceMore(turn, send);
        }
        // Nothing undoes it.
        case GIVEN_UP -> turn.put(step.noted(reply.hash()));
        // These were never given up on.
        case PENDING, WAITING, AWAITING, SUCCEEDED, REFUSED -> {}
      }
    }
  }

  private void compensationReplied(
      TransitionBuilder turn, StepState step, SagaEvent.Replied reply) {
    if (reply.refusal() != null) {
      turn.put(step.compensationNoted(reply.hash()));
      turn.note(REFUSAL_IGNORED, step.name(), reply.told());
    } else {
      turn.put(step.compensated(turn.now(), reply.hash()));
      turn.emit(new Effect.NoteReply());
      turn.note(HistoryEvent.COMPENSATED, step.name(), reply.told());
      course.goOn(turn);
    }
  }
}
