package io.onceflow.saga.internal.clock;

import io.quarkus.arc.DefaultBean;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Produces;
import java.time.Clock;
import java.time.ZoneOffset;

/**
 * The clock for the timestamps of sagas and business rows, in each application that has none of its
 * own. Leases and timers use the database's clock.
 */
class BusinessClock {

  /**
   * Whole milliseconds, so that an answered time is equal to the one read back from the database.
   */
  @Produces
  @ApplicationScoped
  @DefaultBean
  Clock clock() {
    return Clock.tickMillis(ZoneOffset.UTC);
  }
}
