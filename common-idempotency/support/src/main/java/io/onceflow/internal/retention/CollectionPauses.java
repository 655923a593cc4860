package io.onceflow.internal.retention;

import java.time.Duration;

/** How long to wait between turns: the less there is to do, the longer. */
final class CollectionPauses {

  private final Duration first;
  private final Duration longest;
  private Duration next;

  CollectionPauses(Duration first, Duration longest) {
    this.first = first;
    this.longest = longest;
    this.next = first;
  }

  Duration after(CollectionResult result) {
    if (result.isMoreLeft()) {
      next = first;
      return Duration.ZERO;
    }
    if (result.deleted() > 0) {
      next = first;
    }
    return grow();
  }

  /** A database that is away is left alone as if there were nothing to do. */
  Duration afterFailure() {
    return grow();
  }

  private Duration grow() {
    Duration pause = next.compareTo(longest) < 0 ? next : longest;
    next = pause.multipliedBy(2);
    return pause;
  }
}
