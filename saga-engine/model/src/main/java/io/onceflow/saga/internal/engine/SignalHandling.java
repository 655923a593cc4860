package io.onceflow.saga.internal.engine;

import io.onceflow.saga.SagaDefinition;
import io.onceflow.saga.Wait;
import java.util.Optional;

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
    if (signal.hash().equals(step.action().reply())) {
      return SignalStanding.REPEATED;
    }
    return switch (step.status()) {
      case AWAITING ->
          signal.by().equals(firstApprover(signal))
              ? SignalStanding.SAME_APPROVER
              : SignalStanding.TAKEN;
      case PENDING -> isKept(step, signal) ? SignalStanding.KEPT : SignalStanding.NOT_AWAITED;
      case SKIPPED, WAITING, SUCCEEDED, REFUSED, GIVEN_UP, COMPENSATING, COMPENSATED ->
          SignalStanding.NOT_AWAITED;
    };
  }

  /** An approval is not requested before its saga has come to it. */
  private boolean isKept(StepState step, SagaEvent.Signalled signal) {
    return wait(signal).kind() == Wait.Kind.EVENT
        && step.action().reply() == null
        && !saga.state().isTurnedRound()
        && !saga.state().status().isEnd();
  }

  /** Who has approved where a second one has to; the empty string before the first approval. */
  private String firstApprover(SagaEvent.Signalled signal) {
    return Optional.ofNullable(saga.step(signal.step()).outcome()).orElse("");
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
    if (signal.refusal() != null) {
      saga.put(step.refused(saga.now(), signal.hash()));
      saga.note(HistoryEvent.REFUSED, step.name(), by + ": " + signal.refusal());
      if (wait.otherwise().isPresent()) {
        navigator.goOn();
      } else {
        navigator.goBackFor(Reasons.NOT_APPROVED);
      }
    } else if (approvers(wait) == 2 && firstApprover(signal).isEmpty()) {
      saga.put(step.approved(signal.hash(), signal.by()));
      saga.note(HistoryEvent.APPROVED, step.name(), by);
    } else {
      saga.takeSignal(wait, signal.hash(), signal.payload(), by);
      navigator.goOn();
    }
  }

  private static int approvers(Wait<?> wait) {
    return wait.approval().map(Wait.Approval::approvers).orElse(1);
  }
}
