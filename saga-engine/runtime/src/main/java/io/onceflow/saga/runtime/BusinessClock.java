package io.onceflow.saga.runtime;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Produces;
import java.time.Clock;
import java.time.ZoneOffset;

/** The clock that dates sagas and what they are about. Leases and timers go by the database's. */
class BusinessClock {

  /** Whole milliseconds: what is answered reads back the same from the database. */
  @Produces
  @ApplicationScoped
  Clock clock() {
    return Clock.tickMillis(ZoneOffset.UTC);
  }
}
