package io.onceflow.test.races;

/** Good handlers pass all races. */
class RaceKitTest extends CoinRaces {

  RaceKitTest() {
    super(new Bank(true));
  }
}
