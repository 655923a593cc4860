package io.onceflow.quarkus.trip;

import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.time.Clock;

/** An application may have a clock of its own. */
class TripClock {

  static final Clock CLOCK = Clock.systemUTC();

  @Produces
  @Singleton
  static Clock clock() {
    return CLOCK;
  }
}
