package io.onceflow.internal.retention;

import io.onceflow.internal.retention.GarbageCollector.Turn;
import java.time.Duration;

/** Pauses between turns: they double while there is nothing to delete. */
final class CollectionPauses {

  private final Duration first;
  private final Duration longest;
  private Duration next;

  CollectionPauses(Duration first, Duration longest) {
    this.first = first;
    this.longest = longest;
    this.next = first;
  }

  Duration after(Turn turn) {
    if (turn.isMoreLeft()) {
      next = first;
      return Duration.ZERO;
    }
    if (turn.deleted() > 0) {
      next = first;
    }
    Duration pause = next.compareTo(longest) < 0 ? next : longest;
    next = pause.multipliedBy(2);
    return pause;
  }
}
