package io.onceflow.outbox.internal.relay;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/** Varies pauses, so that relays that failed together do not retry together. */
final class RetryJitter {

  private RetryJitter() {}

  /** Between half of a pause and all of it. */
  static Duration of(Duration pause) {
    long half = pause.toNanos() / 2;
    return Duration.ofNanos(half + ThreadLocalRandom.current().nextLong(half + 1));
  }
}
