package io.onceflow.saga.internal.engine;

import io.onceflow.saga.Saga.StepStatus;
import io.onceflow.saga.SagaDefinition;
import io.onceflow.saga.Wait;

/** What a signal, an event that a saga itself waits for, makes of a saga. */
final class SignalHandling<D> {

  private final SagaDefinition<D> definition;
  private final SagaProgress<D> saga;
  private final SagaNavigator<D> navigator;

  SignalHandling(SagaDefinition<D> definition, SagaProgress<D> saga, SagaNavigator<D> navigator) {
    this.definition = definition;
    this.saga = saga;
    this.navigator = navigator;
  }

  SignalStanding standing(SagaEvent.Signalled signal) {
    StepState step = saga.step(signal.step());
    if (step.status() == StepStatus.AWAITING && isSecondTime(step, signal)) {
      return SignalStanding.SAME_APPROVER;
    }
    if (step.status() != StepStatus.COMPENSATING && signal.hash().equals(step.action().reply())) {
      return SignalStanding.REPEATED;
    }
    return switch (step.status()) {
      case AWAITING, COMPENSATING -> SignalStanding.TAKEN;
      case PENDING -> isKept(step, signal) ? SignalStanding.KEPT : SignalStanding.NOT_AWAITED;
      case SKIPPED, WAITING, SUCCEEDED, REFUSED, GIVEN_UP, COMPENSATED ->
          SignalStanding.NOT_AWAITED;
    };
  }

  /** Whether an operator approves who has approved; the same one may still refuse. */
  private static boolean isSecondTime(StepState step, SagaEvent.Signalled signal) {
    return signal.refusal() == null && signal.by().equals(step.outcome());
  }

  /** An approval cannot be given before its saga waits for it. */
  private boolean isKept(StepState step, SagaEvent.Signalled signal) {
    return wait(signal).kind() == Wait.Kind.EVENT
        && step.action().reply() == null
        && !saga.state().isTurnedRound()
        && !saga.state().status().isEnd();
  }

  private Wait<D> wait(SagaEvent.Signalled signal) {
    return definition
        .waitNamed(signal.step())
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "saga %s does not wait for %s".formatted(definition, signal.step())));
  }

  /** Changes nothing unless it is taken or kept. */
  void take(SagaEvent.Signalled signal) {
    switch (standing(signal)) {
      case TAKEN -> taken(signal);
      case KEPT -> {
        saga.put(saga.step(signal.step()).kept(signal.hash(), signal.payload()));
        saga.note(HistoryEvent.SIGNAL_KEPT, signal.step(), "by " + signal.by());
      }
      case REPEATED, SAME_APPROVER, NOT_AWAITED -> {}
    }
  }

  private void taken(SagaEvent.Signalled signal) {
    Wait<D> wait = wait(signal);
    StepState step = saga.step(wait.name());
    String by = "by " + signal.by();
    if (step.status() == StepStatus.COMPENSATING) {
      childEnded(wait, signal);
    } else if (signal.refusal() != null) {
      saga.put(step.refused(saga.now(), signal.hash()));
      saga.note(HistoryEvent.REFUSED, step.name(), by + ": " + signal.refusal());
      if (wait.alternative().isPresent()) {
        navigator.goOn();
      } else {
        navigator.goBackFor(
            wait.child().isEmpty() ? Reasons.NOT_APPROVED : Reasons.CHILD_COMPENSATED);
      }
    } else if (approvers(wait) == 2 && step.outcome() == null) {
      saga.put(step.approved(signal.hash(), signal.by()));
      saga.note(HistoryEvent.APPROVED, step.name(), by);
    } else {
      saga.takeSignal(wait, signal.hash(), signal.payload(), by);
      navigator.goOn();
    }
  }

  /** It was told to be undone. It may have been about to complete, and is told again then. */
  private void childEnded(Wait<D> wait, SagaEvent.Signalled end) {
    if (end.refusal() == null) {
      saga.undoChild(wait);
    } else {
      saga.put(saga.step(wait.name()).compensated(saga.now(), end.hash()));
      saga.note(
          HistoryEvent.COMPENSATED, wait.name(), "by %s: %s".formatted(end.by(), end.refusal()));
      navigator.goOn();
    }
  }

  private static int approvers(Wait<?> wait) {
    return wait.approval().map(Wait.Approval::approvers).orElse(1);
  }
}
