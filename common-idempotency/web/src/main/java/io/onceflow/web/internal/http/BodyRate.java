package io.onceflow.web.internal.http;

import java.time.Duration;

/**
 * How fast a body has to come.
 *
 * @param perSecond bytes per second, on average since its headers were read
 * @param grace before which the rate does not count
 * @param within for all of a body, however fast it comes
 */
record BodyRate(int perSecond, Duration grace, Duration within) {

  private static final double NANOS_PER_SECOND = 1e9;

  boolean isTooSlow(long ageNanos, long received) {
    if (ageNanos <= grace.toNanos()) {
      return false;
    }
    return ageNanos > within.toNanos() || received < perSecond * (ageNanos / NANOS_PER_SECOND);
  }
}
