package io.onceflow.simulation;

import io.onceflow.saga.internal.engine.HistoryEvent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * The situations that a run has reached. A simulation that never reaches a fault proves nothing.
 */
public enum Coverage {
  /** A process died with a transaction open. */
  CRASH_IN_TRANSACTION,
  /** A process died after the broker had taken a message and before the row was deleted. */
  CRASH_BETWEEN_CONFIRM_AND_DELETE,
  /** A process died after a commit and before the acknowledgement. */
  CRASH_BETWEEN_COMMIT_AND_ACK,
  /** A commit was made, but the client did not get its confirmation. */
  COMMIT_OUTCOME_UNKNOWN,
  /** Two transactions took on the same step. */
  LOST_RACE,
  /** A step was taken over after its lease. */
  LEASE_TAKEN_OVER,
  /**
   * An owner returned from a call after its lease had ended, and another process had taken the step
   * over.
   */
  LATE_OWNER,
  /** A message was delivered again, since it was not acknowledged. */
  REDELIVERED,
  /** The broker lost all it held. */
  PURGED,
  /** A tombstone was set. */
  TOMBSTONE,
  /** It was unknown whether a step had been done, and its compensation found that it had. */
  DONE_IN_DOUBT,
  /** It was unknown whether a step had been done, and its compensation prevented it for good. */
  NEVER_DONE_IN_DOUBT,
  /** The event that a step waits for came while the step's handler was being asked. */
  WOKEN_WHILE_ASKED,
  /** A compensation ended a step that was pending. */
  PENDING_ENDED,
  /** A message was parked. */
  PARKED,
  /** A cancellation was answered {@code too-late}. */
  TOO_LATE;

  /**
   * Words of histories that no run reaches: a step times out before its saga's deadline passes, no
   * pivot is pending, no saga fails to be handled, and no operator holds or migrates one.
   */
  private static final Set<HistoryEvent> OUT_OF_REACH =
      EnumSet.of(
          HistoryEvent.DEADLINE_PASSED,
          HistoryEvent.SAGA_QUARANTINED,
          HistoryEvent.SAGA_HELD,
          HistoryEvent.SAGA_RESUMED,
          HistoryEvent.SAGA_MIGRATED);

  /** All situations: these, and the words of sagas' histories. */
  public static List<String> everything() {
    List<String> all = new ArrayList<>();
    Arrays.stream(values()).map(Coverage::name).forEach(all::add);
    EnumSet.complementOf(EnumSet.copyOf(OUT_OF_REACH)).stream()
        .map(HistoryEvent::word)
        .forEach(all::add);
    return all;
  }
}
