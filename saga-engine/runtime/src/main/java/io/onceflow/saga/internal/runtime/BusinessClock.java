package io.onceflow.saga.internal.runtime;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Produces;
import java.time.Clock;
import java.time.ZoneOffset;

/**
 * The clock for the timestamps of sagas and their subjects. Leases and timers use the database's
 * clock.
 */
class BusinessClock {

  /**
   * Whole milliseconds, so that an answered time is equal to the one read back from the database.
   */
  @Produces
  @ApplicationScoped
  Clock clock() {
    return Clock.tickMillis(ZoneOffset.UTC);
  }
}
