package io.onceflow.benchmarks.saga;

import java.time.Duration;

/** Tells when a rate has stopped rising: rates double while code is being compiled. */
public final class Settling {

  /** A slice of warm-up, after which its rate is looked at. */
  public static final Duration SLICE = Duration.ofSeconds(4);

  /** Slices differ by that much anyway. */
  private static final double NOISE = 1.05;

  private double best;

  /**
   * Whether a slice was no faster than the best before it, but for noise.
   *
   * @param rate of the slice
   */
  public boolean hasSettledAt(double rate) {
    boolean hasSettled = best > 0 && rate <= best * NOISE;
    best = Math.max(best, rate);
    return hasSettled;
  }
}
