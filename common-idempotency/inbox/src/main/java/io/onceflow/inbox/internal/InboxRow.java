package io.onceflow.inbox.internal;

import io.onceflow.core.internal.Fingerprint;
import io.onceflow.core.internal.StepKey;
import io.onceflow.inbox.internal.consumer.InboundMessage;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A row of {@code inbox_message}.
 *
 * @param envelope the message of a started step, where it is stored and not with the broker
 * @param pendingSince when the step was first answered as pending; null if it never was, and in a
 *     row that is yet to be inserted
 * @param isResting whether no attempt at it is under way: the last one answered that it is pending,
 *     or its lease is over and its message is not stored
 */
public record InboxRow(
    String scope,
    String stepKey,
    @Nullable Fingerprint fingerprint,
    Status status,
    long fencingToken,
    int attempts,
    @Nullable String envelope,
    @Nullable String outcome,
    @Nullable Instant pendingSince,
    boolean isResting) {

  public enum Status {
    STARTED,
    COMPLETED,
    TOMBSTONE
  }

  /** Who a row is for: step keys of different scopes never meet. */
  public record Id(String scope, String stepKey) implements Comparable<Id> {

    public static Id of(InboundMessage message, StepKey key) {
      return new Id(message.scope(), key.toString());
    }

    @Override
    public int compareTo(Id other) {
      int byScope = scope.compareTo(other.scope);
      return byScope != 0 ? byScope : stepKey.compareTo(other.stepKey);
    }
  }

  public InboxRow withAttempts(int counted) {
    return new InboxRow(
        scope,
        stepKey,
        fingerprint,
        status,
        fencingToken,
        counted,
        envelope,
        outcome,
        pendingSince,
        isResting);
  }

  /** The row with its message, which is stored when the row is written. */
  public InboxRow withEnvelope(String stored) {
    return new InboxRow(
        scope,
        stepKey,
        fingerprint,
        status,
        fencingToken,
        attempts,
        stored,
        outcome,
        pendingSince,
        isResting);
  }

  public Id id() {
    return new Id(scope, stepKey);
  }

  /**
   * @param envelope the message; null where the broker keeps it
   */
  public static InboxRow started(Id id, Fingerprint fingerprint, @Nullable String envelope) {
    return new InboxRow(
        id.scope(), id.stepKey(), fingerprint, Status.STARTED, 1, 1, envelope, null, null, false);
  }

  /** A step that its first decision left pending; no attempt is counted. */
  public static InboxRow pending(Id id, Fingerprint fingerprint, String envelope) {
    return new InboxRow(
        id.scope(), id.stepKey(), fingerprint, Status.STARTED, 1, 0, envelope, null, null, true);
  }

  /** The row when the step has ended. */
  public InboxRow ended(String withOutcome) {
    return new InboxRow(
        scope,
        stepKey,
        fingerprint,
        Status.COMPLETED,
        fencingToken,
        attempts,
        null,
        withOutcome,
        pendingSince,
        false);
  }

  /** The row when the step is started again, under the next token. */
  public InboxRow startedAgain(String withEnvelope) {
    return new InboxRow(
        scope,
        stepKey,
        fingerprint,
        Status.STARTED,
        fencingToken + 1,
        attempts,
        withEnvelope,
        null,
        null,
        false);
  }

  /** Whether the saga has been answered that the step is pending, and it has not ended. */
  public boolean isPending() {
    return status == Status.STARTED && pendingSince != null;
  }

  /** Whether its owner is gone, and its message has not come again. */
  public boolean isAbandoned() {
    return status == Status.STARTED && envelope == null && isResting;
  }

  public static InboxRow completed(Id id, Fingerprint fingerprint, String outcome) {
    return new InboxRow(
        id.scope(), id.stepKey(), fingerprint, Status.COMPLETED, 1, 1, null, outcome, null, false);
  }

  public static InboxRow tombstone(Id id) {
    return new InboxRow(
        id.scope(), id.stepKey(), null, Status.TOMBSTONE, 1, 1, null, null, null, false);
  }
}
