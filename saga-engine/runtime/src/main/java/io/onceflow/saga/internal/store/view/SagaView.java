package io.onceflow.saga.internal.store.view;

import io.onceflow.saga.Saga.SagaStatus;
import io.onceflow.saga.SagaDefinition;
import io.onceflow.saga.internal.Compensation;
import io.onceflow.saga.internal.engine.HistoryEntry;
import io.onceflow.saga.internal.engine.HistoryEvent;
import io.onceflow.saga.internal.engine.RequestState;
import io.onceflow.saga.internal.engine.SagaState;
import io.onceflow.saga.internal.engine.StepState;
import io.onceflow.saga.internal.engine.StepStatus;
import io.onceflow.saga.internal.store.SagaOrigin;
import io.onceflow.saga.internal.store.failure.Quarantine;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A saga as it is shown, in the shape of its JSON.
 *
 * @param reason why it is or was undone; null while nothing speaks against it
 * @param nextActionAt when something is sent again unless a reply comes first; null once ended, and
 *     in quarantine
 * @param deadlineAt when it is undone unless it has reached its pivot; null once that is settled
 * @param endedAt null until then
 * @param quarantine why its timer rests; null while it does not
 * @param history oldest first
 */
public record SagaView(
    UUID id,
    String definition,
    int version,
    SagaStatus status,
    @Nullable String reason,
    Instant startedAt,
    @Nullable Instant nextActionAt,
    @Nullable Instant deadlineAt,
    @Nullable Instant endedAt,
    @Nullable Quarantine quarantine,
    List<Step> steps,
    List<Entry> history) {

  /**
   * A step.
   *
   * @param attempts how often its command was sent
   * @param idempotencyKey the step key, the same for every attempt; null where the reader may not
   *     see it
   * @param sentAt when it was last sent; null before the first time
   * @param repliedAt when it was answered; null until then
   * @param expiresAt when it is given up on unless it was answered; null past the pivot
   * @param compensation its undoing; null while it is not being undone
   */
  public record Step(
      String name,
      StepStatus status,
      int attempts,
      @Nullable String idempotencyKey,
      @Nullable Instant sentAt,
      @Nullable Instant repliedAt,
      @Nullable Instant expiresAt,
      @Nullable Undoing compensation) {

    private Step withoutKeys() {
      Undoing undoing = compensation == null ? null : compensation.withoutKey();
      return new Step(name, status, attempts, null, sentAt, repliedAt, expiresAt, undoing);
    }
  }

  /** The undoing of a step; its parts mean what they mean for the step. */
  public record Undoing(
      String name,
      int attempts,
      @Nullable String idempotencyKey,
      @Nullable Instant sentAt,
      @Nullable Instant repliedAt) {

    private Undoing withoutKey() {
      return new Undoing(name, attempts, null, sentAt, repliedAt);
    }
  }

  /**
   * A line of the history.
   *
   * @param event a word of {@link io.onceflow.saga.internal.engine.HistoryEvent}
   * @param step null where it is about the saga
   * @param detail null where there is nothing to add
   */
  public record Entry(Instant at, String event, @Nullable String step, @Nullable String detail) {

    private Entry withoutPersonalData() {
      return event.equals(HistoryEvent.CANCEL_REQUESTED.word())
          ? new Entry(at, event, step, null)
          : this;
    }
  }

  /**
   * @param definition what the saga follows; null if this process does not know that version, and
   *     then only the steps that it has reached are shown, without what undoes them
   */
  public static SagaView of(SagaWithHistory saga, @Nullable SagaDefinition<?> definition) {
    SagaState reached = saga.saga().reached();
    SagaState state = definition == null ? reached : reached.withStepsOf(definition);
    SagaOrigin origin = saga.saga().origin();
    return new SagaView(
        state.id(),
        state.definition(),
        state.version(),
        state.status(),
        state.reason(),
        state.startedAt(),
        saga.quarantine() == null ? state.nextActionAt() : null,
        state.deadlineAt(),
        state.endedAt(),
        saga.quarantine(),
        state.steps().stream().map(step -> step(step, origin, undo(step, definition))).toList(),
        saga.history().stream().map(SagaView::entry).toList());
  }

  /**
   * For readers who may not see whose saga it is: no step keys, which hold the customer's key, and
   * nothing of who cancelled it.
   */
  public SagaView withoutPersonalData() {
    return new SagaView(
        id,
        definition,
        version,
        status,
        reason,
        startedAt,
        nextActionAt,
        deadlineAt,
        endedAt,
        quarantine,
        steps.stream().map(Step::withoutKeys).toList(),
        history.stream().map(Entry::withoutPersonalData).toList());
  }

  private static Optional<String> undo(StepState step, @Nullable SagaDefinition<?> definition) {
    return step.compensation().attempts() == 0 || definition == null
        ? Optional.empty()
        : definition.stepNamed(step.name()).compensation().map(Compensation::name);
  }

  private static Step step(StepState step, SagaOrigin origin, Optional<String> undo) {
    return new Step(
        step.name(),
        step.status(),
        step.action().sends(),
        origin.stepKey(step.name()),
        step.sentAt(),
        step.repliedAt(),
        step.expiresAt(),
        undo.map(name -> undoing(name, origin, step.compensation())).orElse(null));
  }

  private static Undoing undoing(String name, SagaOrigin origin, RequestState exchange) {
    return new Undoing(
        name, exchange.sends(), origin.stepKey(name), exchange.sentAt(), exchange.repliedAt());
  }

  private static Entry entry(HistoryEntry entry) {
    return new Entry(entry.at(), entry.event().word(), entry.step(), entry.detail());
  }
}
