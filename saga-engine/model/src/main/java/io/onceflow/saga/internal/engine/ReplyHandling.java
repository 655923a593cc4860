package io.onceflow.saga.internal.engine;

import static io.onceflow.saga.internal.engine.HistoryEvent.LATE_SUCCESS;
import static io.onceflow.saga.internal.engine.HistoryEvent.REFUSAL_IGNORED;
import static io.onceflow.saga.internal.engine.HistoryEvent.REPLY_IGNORED;

import io.onceflow.saga.Saga.StepStatus;
import io.onceflow.saga.SagaDefinition;
import io.onceflow.saga.Step;
import java.util.Optional;

/** What a reply makes of a saga (rule 7). */
final class ReplyHandling<D> {

  private final SagaDefinition<D> definition;
  private final SagaProgress<D> saga;
  private final SagaNavigator<D> navigator;

  ReplyHandling(SagaDefinition<D> definition, SagaProgress<D> saga, SagaNavigator<D> navigator) {
    this.definition = definition;
    this.saga = saga;
    this.navigator = navigator;
  }

  /**
   * What a reply is to the saga: what the step that is answered, or its compensation, remembers
   * decides. One that says that its step is pending is always new: what it changes depends on the
   * step's status alone.
   */
  ReplyStanding standing(SagaEvent.Replied reply) {
    if (reply.reply().saysPending()) {
      return ReplyStanding.NEW;
    }
    Optional<StepState> action = saga.state().step(reply.step());
    if (action.isPresent()) {
      StepState step = action.get();
      boolean isTaken = step.isWaiting() || (reply.isSuccess() && step.isGivenUp());
      return standing(step.action(), isTaken, reply, endsAction(step, reply));
    }
    return undone(reply)
        .map(
            step -> {
              boolean isTaken = step.status() == StepStatus.COMPENSATING;
              return standing(step.compensation(), isTaken, reply, reply.isSuccess());
            })
        .orElse(ReplyStanding.UNASKED);
  }

  private Optional<StepState> undone(SagaEvent.Replied reply) {
    return definition.compensatedBy(reply.step()).flatMap(step -> saga.state().step(step.name()));
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
   * Whether such a reply says for good the outcome of a step. One in doubt does not, and so
   * contradicts no other; after a refusal past the pivot the command is resent.
   */
  private boolean endsAction(StepState step, SagaEvent.Replied reply) {
    return reply.isSuccess()
        || !reply.reply().isInDoubt() && (step.expiresAt() != null || mayBeRefused(step));
  }

  /** Though it does not expire: a pivot, and a step past it that has a fallback. */
  private boolean mayBeRefused(StepState step) {
    return definition.stepNamed(step.name()) instanceof Step.Send<D> send
        && (send.isPivot() || send.fallback().isPresent());
  }

  /** A copy of one that counted changes nothing, not even the history: it may come often. */
  private void takePending(SagaEvent.Replied pending) {
    StepState step = saga.state().step(pending.step()).orElse(null);
    if (step != null && step.isAskedOnceMore()) {
      navigator.giveUp(step, "it was pending for as long as it may be");
      navigator.goOnWithout(step, Reasons.TIMED_OUT);
    } else if (step != null && step.status() == StepStatus.WAITING) {
      becomePending(step, pending);
    }
  }

  private void becomePending(StepState step, SagaEvent.Replied pending) {
    if (!(definition.stepNamed(step.name()) instanceof Step.Send<D> send)
        || send.await().isEmpty()) {
      String why = step.name() + " is not awaited by its definition";
      saga.note(REPLY_IGNORED, step.name(), pending.reply().type() + ": " + why);
    } else if (saga.state().isTurnedRound()) {
      navigator.giveUp(step, "it is pending, and the saga is undone");
      navigator.goOn();
    } else {
      saga.await(send, send.await().get());
    }
  }

  /** One that is not {@link ReplyStanding#NEW} changes nothing, not even the history. */
  void take(SagaEvent.Replied reply) {
    if (reply.reply().saysPending()) {
      takePending(reply);
      return;
    }
    if (standing(reply) != ReplyStanding.NEW) {
      return;
    }
    Optional<StepState> action = saga.state().step(reply.step());
    if (action.isEmpty()) {
      compensationReplied(undone(reply).orElseThrow(), reply);
    } else if (action.get().isWaiting()) {
      awaitedActionReplied(action.get(), reply);
    } else if (reply.isSuccess() && action.get().isGivenUp()) {
      succeededLate(action.get(), reply);
    } else {
      StepState step = action.get();
      saga.put(step.noted(reply.hash()));
      saga.note(
          REPLY_IGNORED,
          step.name(),
          "%s: %s is %s".formatted(reply.reply().type(), step.name(), step.status()));
    }
  }

  private void awaitedActionReplied(StepState step, SagaEvent.Replied reply) {
    if (reply.isSuccess()) {
      counts(step.succeeded(saga.now(), reply.hash()), HistoryEvent.SUCCEEDED, reply);
      if (definition.stepNamed(step.name()).isPivot()) {
        saga.note(HistoryEvent.PIVOT_PASSED, step.name(), null);
      }
      navigator.goOn();
    } else if (!endsWithout(step, reply)) {
      // A pivot that may have taken effect is not undone: it is sent until it is answered.
      saga.put(step.refusalNoted(reply.hash(), reply.description()));
      saga.note(REFUSAL_IGNORED, step.name(), reply.description());
    } else {
      if (reply.reply().isInDoubt()) {
        navigator.giveUp(step.noted(reply.hash()), reply.description());
      } else {
        counts(step.refused(saga.now(), reply.hash()), HistoryEvent.REFUSED, reply);
      }
      navigator.goOnWithout(step, reply.reply().refusal().orElseThrow());
    }
  }

  /** Whether such an answer, which is no success, ends a step that waits for one. */
  private boolean endsWithout(StepState step, SagaEvent.Replied reply) {
    return step.expiresAt() != null || (mayBeRefused(step) && !reply.reply().isInDoubt());
  }

  /** The subject takes note of a reply before anything follows from it. */
  private void counts(StepState after, HistoryEvent event, SagaEvent.Replied reply) {
    saga.put(after);
    saga.change(subject -> definition.noted(subject, reply.reply().content(), reply.step()));
    saga.note(event, after.name(), reply.description());
  }

  /**
   * Handles the success of a step that timed out. A participant that keeps rule 6 has undone the
   * step, or will; for a participant that does not, the saga sends the compensation again at once.
   * If the compensation was answered before, the saga does not wait for a second answer: the
   * participant would only repeat the first.
   */
  private void succeededLate(StepState step, SagaEvent.Replied reply) {
    saga.note(LATE_SUCCESS, step.name(), reply.description());
    if (definition.stepNamed(step.name()) instanceof Step.Send<D> send) {
      switch (step.status()) {
        case COMPENSATING -> {
          saga.put(step.succeededLate(saga.now(), reply.hash()));
          saga.sendAgain(send);
        }
        case COMPENSATED -> {
          saga.put(step.succeededLate(saga.now(), reply.hash()));
          saga.compensateOnceMore(send);
        }
        // Nothing undoes it.
        case GIVEN_UP -> saga.put(step.noted(reply.hash()));
        // These were never timed out.
        case PENDING, SKIPPED, WAITING, AWAITING, SUCCEEDED, REFUSED -> {}
      }
    }
  }

  private void compensationReplied(StepState step, SagaEvent.Replied reply) {
    if (reply.isSuccess()) {
      counts(step.compensated(saga.now(), reply.hash()), HistoryEvent.COMPENSATED, reply);
      navigator.goOn();
    } else {
      saga.put(step.compensationRefused(reply.hash(), reply.description()));
      saga.note(REFUSAL_IGNORED, step.name(), reply.description());
    }
  }
}
