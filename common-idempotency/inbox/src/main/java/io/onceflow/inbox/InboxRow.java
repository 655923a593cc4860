package io.onceflow.inbox;

import io.onceflow.core.Fingerprint;
import io.onceflow.core.StepKey;
import org.jspecify.annotations.Nullable;

/** A row of {@code inbox_message}. */
record InboxRow(
    String scope,
    String stepKey,
    @Nullable Fingerprint fingerprint,
    Status status,
    long fencingToken,
    int attempts,
    @Nullable String envelope,
    @Nullable String outcome) {

  enum Status {
    STARTED,
    COMPLETED,
    TOMBSTONE
  }

  /** Who a row is for: step keys of different scopes never meet. */
  record Id(String scope, String stepKey) implements Comparable<Id> {

    static Id of(InboundMessage message, StepKey key) {
      return new Id(message.scope(), key.toString());
    }

    @Override
    public int compareTo(Id other) {
      int byScope = scope.compareTo(other.scope);
      return byScope != 0 ? byScope : stepKey.compareTo(other.stepKey);
    }
  }

  InboxRow withAttempts(int counted) {
    return new InboxRow(
        scope, stepKey, fingerprint, status, fencingToken, counted, envelope, outcome);
  }

  Id id() {
    return new Id(scope, stepKey);
  }

  static InboxRow started(Id id, Fingerprint fingerprint, String envelope) {
    return new InboxRow(
        id.scope(), id.stepKey(), fingerprint, Status.STARTED, 1, 1, envelope, null);
  }

  static InboxRow completed(Id id, Fingerprint fingerprint, String outcome) {
    return new InboxRow(
        id.scope(), id.stepKey(), fingerprint, Status.COMPLETED, 1, 1, null, outcome);
  }

  static InboxRow tombstone(Id id) {
    return new InboxRow(id.scope(), id.stepKey(), null, Status.TOMBSTONE, 1, 1, null, null);
  }
}
