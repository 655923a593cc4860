package io.onceflow.inbox.oracle;

import io.onceflow.inbox.internal.InboxRow.Status;
import io.onceflow.participant.Answer.ReplyOutcome;
import org.jspecify.annotations.Nullable;

/**
 * A row of the inbox, as the specification sees it.
 *
 * @param isLeased whether its owner has it, as far as the database knows
 * @param isStored whether it holds the message
 * @param outcome null unless it is completed
 */
record StepRow(
    Status status, int token, boolean isLeased, boolean isStored, @Nullable ReplyOutcome outcome) {

  static final StepRow TOMBSTONE = new StepRow(Status.TOMBSTONE, 1, false, false, null);

  static StepRow leased(int token, boolean isStored) {
    return new StepRow(Status.STARTED, token, true, isStored, null);
  }

  static StepRow waiting(int token) {
    return new StepRow(Status.STARTED, token, false, true, null);
  }

  static StepRow completed(int token, ReplyOutcome outcome) {
    return new StepRow(Status.COMPLETED, token, false, false, outcome);
  }

  StepRow stored() {
    return new StepRow(status, token, isLeased, true, outcome);
  }

  StepRow due() {
    return new StepRow(status, token, false, isStored, outcome);
  }

  boolean isStarted() {
    return status == Status.STARTED;
  }

  /** Whether a replica may take it over. */
  boolean isDue() {
    return isStarted() && isStored && !isLeased;
  }

  /** Whether its owner is gone, and the broker may have lost its message. */
  boolean isAbandoned() {
    return isStarted() && !isStored && !isLeased;
  }

  /** As {@link RealParticipants} reads it from the table. */
  @Override
  public String toString() {
    return "%s, token %s%s%s%s"
        .formatted(
            status,
            token,
            isLeased ? ", leased" : "",
            isStored ? ", stored" : "",
            outcome == null ? "" : ", " + outcome.word());
  }
}
