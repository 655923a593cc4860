package io.onceflow.benchmarks.drain;

import java.time.Duration;

/**
 * An outbox that was emptied.
 *
 * @param messages how many were in it
 * @param time from their commit until the last row was deleted, which is after its confirm
 */
public record Drained(int messages, Duration time) {

  /** The rate. */
  public double perSecond() {
    return messages / (time.toNanos() / 1e9);
  }
}
