package io.onceflow.outbox.internal.relay;

import java.util.UUID;

/**
 * Where a relay continues reading while there is more. A table's oldest entries are those that were
 * deleted last, and a scan that starts there reads all of them, each time; so the next batch starts
 * behind the last one. What lies before, put off or written late, is seen to by and by.
 */
final class ReadPosition {

  private static final UUID START = new UUID(0, 0);

  /** Then from the start again, however much there still is. */
  private static final int MOST_IN_A_ROW = 16;

  private UUID next = START;
  private int inARow;
  private boolean wasBehindOthers;

  /** Where the next batch starts. A batch that fails is started again from the start. */
  UUID next() {
    UUID begin = next;
    wasBehindOthers = !begin.equals(START);
    next = START;
    return begin;
  }

  /** After a full batch that ended with this message. */
  void goOnBehind(UUID last) {
    inARow = (inARow + 1) % MOST_IN_A_ROW;
    next = inARow == 0 ? START : last;
  }

  /** Whether the batch at hand started elsewhere than at the start, so that there may be more. */
  boolean wasBehindOthers() {
    return wasBehindOthers;
  }
}
