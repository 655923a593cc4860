package io.onceflow.simulation.kernel;

import java.time.Duration;
import java.util.SplittableRandom;

/** The random numbers of a run; a seed gives the same numbers again. */
public final class SeededRandom {

  private final SplittableRandom random;

  public SeededRandom(long seed) {
    this.random = new SplittableRandom(scrambled(seed));
  }

  /** MurmurHash3's finalizer: seeds beside each other are to have nothing in common. */
  private static long scrambled(long seed) {
    long z = (seed ^ (seed >>> 33)) * 0xff51afd7ed558ccdL;
    z = (z ^ (z >>> 33)) * 0xc4ceb9fe1a85ec53L;
    return z ^ (z >>> 33);
  }

  /** True with this probability; draws no number when it is zero. */
  public boolean of(double probability) {
    return probability > 0 && random.nextDouble() < probability;
  }

  /** From zero up to the bound, which it excludes. */
  public int below(int bound) {
    return random.nextInt(bound);
  }

  /** From zero up to the bound, which it excludes. */
  public long below(long bound) {
    return random.nextLong(bound);
  }

  /** From zero up to one. */
  public double share() {
    return random.nextDouble();
  }

  /** Evenly between the two, in nanoseconds. */
  public long between(Duration least, Duration most) {
    return least.toNanos() + random.nextLong(most.toNanos() - least.toNanos() + 1);
  }

  /** A separate generator, so that draws from it do not change the numbers of this one. */
  public SeededRandom split() {
    return new SeededRandom(random.nextLong());
  }
}
