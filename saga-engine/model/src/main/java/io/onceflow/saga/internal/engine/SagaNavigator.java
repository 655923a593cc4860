package io.onceflow.saga.internal.engine;

import static io.onceflow.saga.internal.engine.HistoryEvent.PIVOT_PASSED;
import static io.onceflow.saga.internal.engine.HistoryEvent.SAGA_COMPENSATED;
import static io.onceflow.saga.internal.engine.HistoryEvent.SAGA_COMPLETED;
import static io.onceflow.saga.internal.engine.HistoryEvent.SAGA_STUCK;
import static io.onceflow.saga.internal.engine.HistoryEvent.SAGA_UNSTUCK;
import static java.util.Objects.requireNonNull;

import io.onceflow.saga.Choice;
import io.onceflow.saga.ItemSteps;
import io.onceflow.saga.Saga.SagaStatus;
import io.onceflow.saga.Saga.StepStatus;
import io.onceflow.saga.SagaDefinition;
import io.onceflow.saga.SagaDefinition.StepGroup;
import io.onceflow.saga.Step;
import io.onceflow.saga.Wait;
import java.util.Arrays;
import java.util.List;

/** Leads a saga through its definition: forward, and back when it is compensated. */
final class SagaNavigator<D> {

  private static final String NOT_IN_TIME = "it did not come in time";

  private final SagaDefinition<D> definition;
  private final SagaProgress<D> saga;

  SagaNavigator(SagaDefinition<D> definition, SagaProgress<D> saga) {
    this.definition = definition;
    this.saga = saga;
  }

  /** Continues in the saga's direction after the outcome of a step or compensation is known. */
  void goOn() {
    if (saga.state().isTurnedRound()) {
      goBack();
    } else {
      goForward();
    }
  }

  /**
   * Sends the next compensations; ends steps that wait for an external event, which may take days,
   * and has the saga undone that a step has started; if the saga still goes forward, it starts to
   * compensate for this reason.
   */
  void goBackFor(String reason) {
    if (!saga.state().isTurnedRound()) {
      saga.put(saga.state().compensating(reason));
    }
    endWaits("it is pending, and the saga is undone", StepStatus.AWAITING);
    goBack();
  }

  /** Times out what waits so; the saga that a step has started is undone instead. */
  void endWaits(String why, StepStatus... waiting) {
    saga.state().steps().stream()
        .filter(step -> Arrays.asList(waiting).contains(step.status()))
        .filter(step -> definition.waitNamed(step.name()).flatMap(Wait::child).isEmpty())
        .forEach(step -> giveUp(step, why));
  }

  /** Times out a step that waits: it may have been done. */
  void giveUp(StepState step, String why) {
    saga.put(step.givenUp());
    saga.note(HistoryEvent.GIVEN_UP, step.name(), why);
  }

  /**
   * Continues after a step has failed: with its fallback, without it where it is best effort, else
   * back.
   */
  void goOnWithout(StepState failed, String reason) {
    if (isSpared(failed)) {
      goOn();
    } else {
      goBackFor(reason);
    }
  }

  /** Whether its failure alone does not turn the saga round. */
  boolean isSpared(StepState failed) {
    return definition.stepNamed(failed.name()) instanceof Step.Send<D> send
        && (send.isBestEffort() || send.fallback().isPresent());
  }

  /** The time of a wait is over. */
  void endWait(Wait<D> wait) {
    StepState step = saga.step(wait.name());
    if (wait.kind() == Wait.Kind.SLEEP) {
      saga.put(step.over(saga.now(), null));
      saga.note(HistoryEvent.SUCCEEDED, step.name(), null);
      goOn();
    } else if (wait.kind() == Wait.Kind.CHILD) {
      saga.awaitChildLonger(wait);
    } else if (wait.alternative().isPresent()) {
      giveUp(step, NOT_IN_TIME);
      goOn();
    } else if (saga.state().isPastPivot(definition)) {
      saga.startWait(wait, HistoryEvent.AWAIT_OVER);
    } else {
      giveUp(step, NOT_IN_TIME);
      goBackFor(Reasons.TIMED_OUT);
    }
  }

  private void goForward() {
    if (forward(definition.parts())) {
      end(SagaStatus.COMPLETED);
    }
  }

  /** Takes the parts ahead up to the first that has to wait; whether all are done. */
  private boolean forward(List<StepGroup<D>> parts) {
    for (StepGroup<D> part : parts) {
      if (!forward(part)) {
        return false;
      }
    }
    return true;
  }

  private boolean forward(StepGroup<D> group) {
    boolean isTooLate =
        saga.state().isDeadlinePassed(saga.now())
            && group.members().stream().anyMatch(this::isSentNext);
    if (isTooLate) {
      saga.note(HistoryEvent.DEADLINE_PASSED, null, null);
      goBackFor(Reasons.DEADLINE_PASSED);
      return false;
    }
    boolean isDone = true;
    for (Step<D> step : group.members()) {
      isDone &= forward(step);
    }
    return isDone;
  }

  private boolean isSentNext(Step<D> step) {
    return (step instanceof Step.Send || step instanceof ItemSteps)
        && status(step) == StepStatus.PENDING;
  }

  private StepStatus status(Step<D> step) {
    return saga.step(step.name()).status();
  }

  private boolean forward(Step<D> step) {
    return switch (step) {
      case Step.Send<D> send -> forward(send);
      case Step.Run<D> run -> forward(run);
      case Choice<D> choice -> forward(choice);
      case ItemSteps<D, ?> items -> forward(items);
      case Wait<D> wait -> forward(wait);
    };
  }

  private boolean forward(Step.Run<D> run) {
    if (status(run) == StepStatus.PENDING) {
      saga.put(saga.step(run.name()).ran(saga.now()));
      saga.change(run.action());
      saga.note(run.isPivot() ? PIVOT_PASSED : HistoryEvent.SUCCEEDED, run.name(), null);
      passed(run);
    }
    return true;
  }

  private void passed(Step<D> taken) {
    if (taken.isPivot()) {
      saga.put(saga.state().withoutDeadline());
    }
  }

  private boolean forward(Step.Send<D> send) {
    if (status(send) == StepStatus.PENDING) {
      saga.send(send);
      passed(send);
    }
    return switch (status(send)) {
      case SUCCEEDED -> {
        skip(send.ways());
        yield true;
      }
      case SKIPPED -> true;
      case REFUSED, GIVEN_UP, COMPENSATED -> without(send);
      case PENDING, WAITING, AWAITING, COMPENSATING -> false;
    };
  }

  /** What may have been done is undone before something else is tried instead. */
  private boolean without(Step.Send<D> failed) {
    if (failed.fallback().isEmpty()) {
      return failed.isBestEffort();
    }
    undo(failed);
    return !saga.step(failed.name()).isAwaited() && forward(failed.ways().getFirst());
  }

  private boolean forward(Choice<D> choice) {
    StepState step = saga.step(choice.name());
    if (step.status() == StepStatus.PENDING) {
      Choice.Branch<D> taken = choice.of(saga.subject());
      saga.put(step.decided(saga.now(), taken.name()));
      saga.note(HistoryEvent.BRANCH_TAKEN, step.name(), taken.name());
      skip(
          choice.branches().stream()
              .filter(branch -> !branch.name().equals(taken.name()))
              .map(Choice.Branch::parts)
              .toList());
    }
    return step.status() == StepStatus.SKIPPED || forward(taken(choice));
  }

  private List<StepGroup<D>> taken(Choice<D> choice) {
    return choice.branch(requireNonNull(saga.step(choice.name()).outcome())).parts();
  }

  private boolean forward(ItemSteps<D, ?> items) {
    StepState step = saga.step(items.name());
    if (step.status() == StepStatus.SKIPPED) {
      return true;
    }
    if (step.status() == StepStatus.PENDING) {
      String keys = ItemKeys.joined(items.keys(saga.subject()));
      saga.put(saga.state().withItems(step.decided(saga.now(), keys)));
      saga.note(HistoryEvent.ITEMS_FIXED, step.name(), keys);
    }
    boolean isDone = true;
    long underWay = underWay(items);
    for (Step<D> item : itemsOf(items)) {
      boolean isPending = status(item) == StepStatus.PENDING;
      if (isPending && underWay >= items.atOnce()) {
        return false;
      }
      isDone &= forward(item);
      underWay += isPending && saga.step(item.name()).isAwaited() ? 1 : 0;
    }
    return isDone;
  }

  private List<Step<D>> itemsOf(ItemSteps<D, ?> items) {
    return ItemKeys.of(saga.step(items.name())).stream().map(items::at).toList();
  }

  private long underWay(ItemSteps<D, ?> items) {
    return saga.state().steps().stream()
        .filter(step -> ItemSteps.stepOf(step.name()).equals(items.name()))
        .filter(StepState::isAwaited)
        .count();
  }

  private boolean forward(Wait<D> wait) {
    StepState step = saga.step(wait.name());
    if (step.status() == StepStatus.PENDING) {
      if (wait.child().isPresent()) {
        saga.startChild(wait, wait.child().get());
      } else if (step.action().reply() == null) {
        saga.startWait(wait, HistoryEvent.WAIT_STARTED);
      } else {
        saga.takeSignal(wait, step.action().reply(), step.outcome(), "told before");
      }
    }
    return switch (status(wait)) {
      case SUCCEEDED -> {
        skip(wait.ways());
        yield true;
      }
      case SKIPPED -> true;
      case REFUSED, GIVEN_UP -> wait.alternative().filter(this::forward).isPresent();
      case PENDING, WAITING, AWAITING, COMPENSATING, COMPENSATED -> false;
    };
  }

  private void skip(List<List<StepGroup<D>>> ways) {
    ways.stream()
        .flatMap(List::stream)
        .flatMap(StepGroup::all)
        .map(step -> saga.step(step.name()))
        .filter(step -> step.status() == StepStatus.PENDING)
        .forEach(step -> saga.put(step.skipped()));
  }

  /**
   * Compensates the last part that has a step to undo. Waits for the outcome of each of its steps,
   * and for each of its compensations, before it goes to the part before; with none left all is
   * undone.
   */
  private void goBack() {
    if (undone(definition.parts())) {
      end(SagaStatus.COMPENSATED);
    }
  }

  private boolean undone(List<StepGroup<D>> parts) {
    for (StepGroup<D> part : parts.reversed()) {
      boolean isUndone = true;
      for (Step<D> step : part.members()) {
        isUndone &= undone(step);
      }
      if (!isUndone) {
        return false;
      }
    }
    return true;
  }

  private boolean undone(Step<D> step) {
    return switch (step) {
      case Step.Send<D> send when send.ways().stream().allMatch(this::undone) -> {
        undo(send);
        yield !saga.step(send.name()).isAwaited();
      }
      case Step.Send<D> send -> false;
      case Step.Run<D> run -> true;
      case Choice<D> choice -> saga.step(choice.name()).outcome() == null || undone(taken(choice));
      case ItemSteps<D, ?> items -> undone(items);
      case Wait<D> wait when wait.ways().stream().allMatch(this::undone) -> {
        undo(wait);
        yield !saga.step(wait.name()).isAwaited();
      }
      case Wait<D> wait -> false;
    };
  }

  /** The last item first, as many at the same time as were done so; sagas that run all at once. */
  private boolean undone(ItemSteps<D, ?> items) {
    List<Step<D>> all = itemsOf(items).reversed();
    all.stream().filter(item -> status(item) == StepStatus.AWAITING).forEach(this::undoItem);
    long underWay = underWay(items);
    for (Step<D> item : all) {
      if (underWay < items.atOnce() && !saga.step(item.name()).isAwaited()) {
        undoItem(item);
        underWay += saga.step(item.name()).isAwaited() ? 1 : 0;
      }
    }
    return underWay == 0;
  }

  private void undoItem(Step<D> item) {
    switch (item) {
      case Step.Send<D> send -> undo(send);
      case Wait<D> wait -> undo(wait);
      case Step<D> other -> throw new IllegalStateException(other + " is taken for no item");
    }
  }

  private void undo(Step.Send<D> send) {
    if (saga.step(send.name()).isToBeUndone()) {
      send.compensation().ifPresent(undo -> saga.compensate(send, undo));
    }
  }

  /** A saga that was started is undone where it may have done something, whether it runs or not. */
  private void undo(Wait<D> wait) {
    StepStatus status = status(wait);
    if (wait.child().isPresent()
        && (status == StepStatus.AWAITING || status == StepStatus.SUCCEEDED)) {
      saga.undoChild(wait);
    }
  }

  private void end(SagaStatus end) {
    SagaState ended = saga.state().ended(end, saga.now());
    String reason = ended.reason();
    saga.put(ended);
    if (end == SagaStatus.COMPENSATED && reason != null) {
      saga.change(subject -> definition.compensated(subject, reason));
    }
    saga.note(end == SagaStatus.COMPLETED ? SAGA_COMPLETED : SAGA_COMPENSATED, null, reason);
  }

  /**
   * Sets or clears the status STUCK, depending on the messages that the saga waits for (rule 9).
   */
  void noteWhetherStuck() {
    SagaState state = saga.state();
    List<String> stuck = state.steps().stream().filter(saga::isStuck).map(StepState::name).toList();
    if (state.status() == SagaStatus.STUCK && stuck.isEmpty()) {
      saga.put(state.unstuck());
      saga.note(SAGA_UNSTUCK, null, null);
    } else if (!state.status().isEnd() && state.status() != SagaStatus.STUCK && !stuck.isEmpty()) {
      saga.put(state.stuck());
      saga.note(SAGA_STUCK, null, String.join(", ", stuck));
    }
  }
}
