package io.onceflow.simulation.inbox;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.onceflow.inbox.internal.InboxRow;
import io.onceflow.simulation.Defaults;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A row of {@link MemoryInbox} with its times. */
record InboxEntry(
    InboxRow row, @Nullable Instant leaseEndsAt, @Nullable Instant endedAt, long wokenToken) {

  InboxEntry(InboxRow row, @Nullable Instant leaseEndsAt, @Nullable Instant endedAt) {
    this(row, leaseEndsAt, endedAt, 0);
  }

  static InboxEntry fresh(InboxRow row, Duration lease, Instant now) {
    InboxRow stored = row.isResting() ? resting(row, 0, since(row, now)) : row;
    return row.status() == InboxRow.Status.STARTED
        ? new InboxEntry(stored, now.plus(lease), null)
        : new InboxEntry(row, null, now);
  }

  /** The row as a look-up finds it: at rest as well where its owner and its message are gone. */
  InboxRow seen(Instant now) {
    boolean isAbandoned = !isStored() && leaseEndsAt != null && leaseEndsAt.isBefore(now);
    return isAbandoned ? resting(row, row.attempts(), row.pendingSince()) : row;
  }

  /** Whether the row holds the message. */
  boolean isStored() {
    return row.envelope() != null;
  }

  boolean isDue(Instant now) {
    return isStored() && leaseEndsAt != null && leaseEndsAt.isBefore(now);
  }

  InboxEntry postponed(InboxRow own, Instant until) {
    return until(rowWithMessageOf(own).withAttempts(own.attempts()), until);
  }

  InboxEntry atRest(InboxRow own, Instant until, Instant now) {
    InboxRow stored = rowWithMessageOf(own);
    return until(resting(stored, 0, since(stored, now)), until);
  }

  InboxEntry until(Instant until) {
    return until(row, until);
  }

  private InboxEntry until(InboxRow changed, Instant until) {
    return new InboxEntry(changed, until, null, wokenToken);
  }

  InboxEntry stored(String envelope) {
    return new InboxEntry(row.withEnvelope(envelope), leaseEndsAt, null, wokenToken);
  }

  private InboxRow rowWithMessageOf(InboxRow own) {
    String message = own.envelope();
    return isStored() || message == null ? row : row.withEnvelope(message);
  }

  /** Under the next token, with one more attempt. */
  InboxEntry taken(Instant leaseEnds) {
    InboxRow next =
        new InboxRow(
            row.scope(),
            row.stepKey(),
            row.fingerprint(),
            row.status(),
            row.fencingToken() + 1,
            row.attempts() + 1,
            row.envelope(),
            row.outcome(),
            row.pendingSince(),
            false);
    return new InboxEntry(next, leaseEnds, null);
  }

  /** The message's type, where it is stored. */
  String type() {
    try {
      return Defaults.JSON.readTree(row.envelope()).path("type").asText();
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }

  String saga() {
    return row.scope() + "/" + row.stepKey().substring(0, row.stepKey().lastIndexOf(':'));
  }

  private static Instant since(InboxRow row, Instant now) {
    Instant since = row.pendingSince();
    return since == null ? now : since;
  }

  private static InboxRow resting(InboxRow row, int attempts, @Nullable Instant pendingSince) {
    return new InboxRow(
        row.scope(),
        row.stepKey(),
        row.fingerprint(),
        row.status(),
        row.fencingToken(),
        attempts,
        row.envelope(),
        row.outcome(),
        pendingSince,
        true);
  }
}
