package io.onceflow.inbox.internal;

import io.onceflow.core.internal.Fingerprint;
import io.onceflow.core.internal.StepKey;
import io.onceflow.inbox.internal.consumer.InboundMessage;
import org.jspecify.annotations.Nullable;

/** A row of {@code inbox_message}. */
public record InboxRow(
    String scope,
    String stepKey,
    @Nullable Fingerprint fingerprint,
    Status status,
    long fencingToken,
    int attempts,
    @Nullable String envelope,
    @Nullable String outcome) {

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
        scope, stepKey, fingerprint, status, fencingToken, counted, envelope, outcome);
  }

  public Id id() {
    return new Id(scope, stepKey);
  }

  public static InboxRow started(Id id, Fingerprint fingerprint, String envelope) {
    return new InboxRow(
        id.scope(), id.stepKey(), fingerprint, Status.STARTED, 1, 1, envelope, null);
  }

  public static InboxRow completed(Id id, Fingerprint fingerprint, String outcome) {
    return new InboxRow(
        id.scope(), id.stepKey(), fingerprint, Status.COMPLETED, 1, 1, null, outcome);
  }

  public static InboxRow tombstone(Id id) {
    return new InboxRow(id.scope(), id.stepKey(), null, Status.TOMBSTONE, 1, 1, null, null);
  }
}
