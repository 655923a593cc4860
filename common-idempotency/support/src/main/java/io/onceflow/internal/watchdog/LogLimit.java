package io.onceflow.internal.watchdog;

import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/** Lets one log line a minute pass, for failures that concern every request alike. */
public final class LogLimit {

  private static final long EVERY_NANOS = Duration.ofMinutes(1).toNanos();

  private final LongSupplier nanoTime;
  private final AtomicLong next;
  private final AtomicLong withheld = new AtomicLong();

  public LogLimit() {
    this(System::nanoTime);
  }

  LogLimit(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
    this.next = new AtomicLong(nanoTime.getAsLong());
  }

  /** How many lines were withheld since the last one; empty if this one is to be withheld, too. */
  public OptionalLong pass() {
    long now = nanoTime.getAsLong();
    long due = next.get();
    if (now - due >= 0 && next.compareAndSet(due, now + EVERY_NANOS)) {
      return OptionalLong.of(withheld.getAndSet(0));
    }
    withheld.incrementAndGet();
    return OptionalLong.empty();
  }
}
