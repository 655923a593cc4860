package io.onceflow.order.saga;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Produces;
import java.time.Clock;

/** The clock that dates orders and their sagas. Leases and timers go by the database's. */
class BusinessClock {

  @Produces
  @ApplicationScoped
  Clock clock() {
    return Clock.systemUTC();
  }
}
