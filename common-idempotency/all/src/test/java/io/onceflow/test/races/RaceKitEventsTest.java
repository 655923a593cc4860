package io.onceflow.test.races;

/** A good consumer of events passes all races. */
class RaceKitEventsTest extends PointRaces {

  RaceKitEventsTest() {
    super(Points::good);
  }
}
