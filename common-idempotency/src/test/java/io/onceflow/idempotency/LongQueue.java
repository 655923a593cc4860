package io.onceflow.idempotency;

import jakarta.inject.Singleton;
import java.util.concurrent.atomic.AtomicLong;

/** Something that waits behind the requests, as much of it as a test says. */
@Singleton
class LongQueue implements Backpressure {

  static final long BOUND = 1_000;

  private final AtomicLong waiting = new AtomicLong();

  void set(long number) {
    waiting.set(number);
  }

  @Override
  public String name() {
    return "queue";
  }

  @Override
  public long bound() {
    return BOUND;
  }

  /** Fails when it is told to, by a number that cannot be. */
  @Override
  public long waiting() {
    long now = waiting.get();
    if (now < 0) {
      throw new IllegalStateException("nobody can tell");
    }
    return now;
  }
}
