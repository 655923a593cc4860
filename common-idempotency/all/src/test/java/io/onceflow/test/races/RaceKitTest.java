package io.onceflow.test.races;

import java.util.EnumSet;

/** Good handlers pass all races. */
class RaceKitTest extends CoinRaces {

  RaceKitTest() {
    super(new Bank(true), EnumSet.noneOf(Slot.Lack.class));
  }
}
