package io.onceflow.inbox.internal;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.onceflow.participant.Answer.ReplyOutcome;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What the inbox knows of a step, without anything personal. All times are those of the
 * participant's database.
 *
 * @param step name of the step or compensation
 * @param progress how far it has come
 * @param arrivedAt when its command was first read and its row written; null for a tombstone, whose
 *     command has not come
 * @param begunAt when the last attempt started, or when it was last looked at and had to wait; null
 *     while it waits for its first, and where it is not known
 * @param answeredAt when the answer was stored, in the transaction that records the reply for
 *     sending; for a tombstone when it was set. Null while the step is not answered
 * @param dueAt while it is not answered: when the lease of its attempt ends, or its next attempt is
 *     due
 * @param attempts how often carrying it out was started; 0 before that and for a tombstone
 * @param outcome what was answered; null while it is not
 * @param pendingSince when it was first answered that the step is pending, since its participant
 *     waits for an external event; kept when the step has ended. Null if it never was
 * @param laterFailure what failed after it was answered and is not resolved, such as a refund that
 *     the bank has sent back; null where nothing did
 */
public record HandledStep(
    String step,
    Progress progress,
    @Nullable Instant arrivedAt,
    @Nullable Instant begunAt,
    @Nullable Instant answeredAt,
    @Nullable Instant dueAt,
    int attempts,
    @Nullable ReplyOutcome outcome,
    @Nullable Instant pendingSince,
    @Nullable String laterFailure) {

  HandledStep withLaterFailure(@Nullable String failure) {
    return new HandledStep(
        step,
        progress,
        arrivedAt,
        begunAt,
        answeredAt,
        dueAt,
        attempts,
        outcome,
        pendingSince,
        failure);
  }

  /** How far it has come. */
  public enum Progress {
    /** Not answered: it waits, or is being carried out. */
    @JsonProperty("started")
    STARTED,
    /** Answered; a repeated command gets the same answer. */
    @JsonProperty("answered")
    ANSWERED,
    /** Its compensation came first: it was not done and will not be. */
    @JsonProperty("tombstone")
    TOMBSTONE
  }
}
