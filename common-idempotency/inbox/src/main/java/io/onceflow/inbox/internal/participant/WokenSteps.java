package io.onceflow.inbox.internal.participant;

import jakarta.inject.Singleton;
import java.util.concurrent.atomic.AtomicLong;

/** Counts the pending steps that this process has woken, so that its recovery looks at once. */
@Singleton
public class WokenSteps {

  private final AtomicLong count = new AtomicLong();

  /** One is woken, by a transaction that may not have ended. */
  public void add() {
    count.incrementAndGet();
  }

  /** How many have been woken so far. */
  public long count() {
    return count.get();
  }
}
