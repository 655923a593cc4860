package io.onceflow.systemtests;

import java.util.List;
import java.util.Random;

/** Chance that can be had again: the same seed brings the same throws. */
final class Dice {

  private final Random random;

  /** The throws for one of many inputs, independent of the thread and of earlier inputs. */
  Dice(long seed, long input) {
    this.random = new Random((seed * 0x9E3779B97F4A7C15L) ^ (input * 0xBF58476D1CE4E5B9L));
  }

  /**
   * @param probability from 0 to 1
   */
  boolean chance(double probability) {
    return random.nextDouble() < probability;
  }

  /** From 0 to one less than this. */
  int below(int bound) {
    return random.nextInt(bound);
  }

  int between(int least, int most) {
    return least + random.nextInt(most - least + 1);
  }

  long any() {
    return random.nextLong();
  }

  <T> T oneOf(List<T> choices) {
    return choices.get(random.nextInt(choices.size()));
  }

  byte[] bytes(int length) {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    return bytes;
  }
}
