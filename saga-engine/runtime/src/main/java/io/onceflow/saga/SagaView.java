package io.onceflow.saga;

import io.onceflow.saga.Saga.SagaStatus;
import io.onceflow.saga.Saga.StepStatus;
import io.onceflow.saga.internal.engine.HistoryEvent;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A saga as it is shown, in the shape of its JSON.
 *
 * @param parent the id of the saga that started it; null where none did
 * @param reason why it is or was undone; null while nothing speaks against it
 * @param nextActionAt when something is resent unless a reply comes first; null once ended, in
 *     quarantine and on hold
 * @param deadlineAt when it is undone unless it has reached its pivot; null once that is settled
 * @param endedAt null until then
 * @param quarantine why its timer rests; null while it does not
 * @param hold who holds it, and why; null while it is not on hold
 * @param history oldest first
 */
public record SagaView(
    UUID id,
    String definition,
    int version,
    @Nullable UUID parent,
    SagaStatus status,
    @Nullable String reason,
    Instant startedAt,
    @Nullable Instant nextActionAt,
    @Nullable Instant deadlineAt,
    @Nullable Instant endedAt,
    @Nullable Quarantine quarantine,
    @Nullable Hold hold,
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
   * @param expiresAt when it times out unless it was answered; null past the pivot
   * @param outcome the branch that a choice has taken, the keys of the items of a step, the first
   *     of two operators who has approved, or the id of the saga that was started; null otherwise
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
      @Nullable String outcome,
      @Nullable Undoing compensation) {

    private Step withoutKeys() {
      Undoing undoing = compensation == null ? null : compensation.withoutKey();
      return new Step(name, status, attempts, null, sentAt, repliedAt, expiresAt, outcome, undoing);
    }
  }

  /**
   * The undoing of a step; its parts mean what they mean for the step.
   *
   * @param skipped which operator skipped it, and why; null where none did, and where the reader
   *     may not see it
   */
  public record Undoing(
      String name,
      int attempts,
      @Nullable String idempotencyKey,
      @Nullable Instant sentAt,
      @Nullable Instant repliedAt,
      @Nullable String skipped) {

    private Undoing withoutKey() {
      return new Undoing(name, attempts, null, sentAt, repliedAt, null);
    }
  }

  /**
   * A line of the history.
   *
   * @param event a word, such as {@code saga-started}
   * @param step null where it is about the saga
   * @param detail null where there is nothing to add
   */
  public record Entry(Instant at, String event, @Nullable String step, @Nullable String detail) {

    private Entry withoutPersonalData() {
      return event.equals(HistoryEvent.CANCEL_REQUESTED.word())
              || detail != null && detail.startsWith("skipped by ")
              || event.equals(HistoryEvent.SAGA_HELD.word())
              || event.equals(HistoryEvent.SAGA_RESUMED.word())
              || event.equals(HistoryEvent.SAGA_MIGRATED.word())
          ? new Entry(at, event, step, null)
          : this;
    }
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
        parent,
        status,
        reason,
        startedAt,
        nextActionAt,
        deadlineAt,
        endedAt,
        quarantine,
        hold == null ? null : hold.withoutReason(),
        steps.stream().map(Step::withoutKeys).toList(),
        history.stream().map(Entry::withoutPersonalData).toList());
  }

  /**
   * Why a saga's timer does not fire any more.
   *
   * @param since when the last attempt failed
   * @param failures how many attempts failed in a row
   * @param reason the kind of the last failure and where it was thrown; the log has the rest
   */
  public record Quarantine(Instant since, int failures, String reason) {}

  /**
   * An operator's hold: until it is resumed nothing is sent, no timer fires, and replies are kept.
   *
   * @param by who holds it: the subject of the token
   * @param reason in the operator's words; null when nothing was said, and where the reader may not
   *     see it
   * @param until when it is resumed by itself; null when by hand only
   * @param definition whether all sagas of the definition are on hold, and resumed together
   */
  public record Hold(
      Instant since,
      String by,
      @Nullable String reason,
      @Nullable Instant until,
      boolean definition) {

    /** For readers who may not see what names a customer. */
    public Hold withoutReason() {
      return new Hold(since, by, null, until, definition);
    }
  }
}
