package io.onceflow.idempotency;

import io.onceflow.core.internal.Backpressure;
import jakarta.inject.Singleton;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/** Something that waits behind the requests, as much of it as a test says. */
@Singleton
class LongQueue implements Backpressure {

  static final long BOUND = 1_000;

  private final AtomicLong waiting = new AtomicLong();
  private volatile Map<String, Long> byCaller = Map.of();

  void set(long number) {
    if (number == 0) {
      byCaller = Map.of();
    }
    waiting.set(number);
  }

  /** Says that so many of them are one caller's. */
  void set(String caller, long number) {
    byCaller = Map.of(caller, number);
    set(number);
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
      throw new IllegalStateException("the queue cannot be read");
    }
    return now;
  }

  @Override
  public Waiting waiting(long least) {
    return new Waiting(waiting(), byCaller);
  }
}
