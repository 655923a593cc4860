package io.onceflow.benchmarks.saga;

import java.time.Duration;

/**
 * Tells when services are warm: their rate has stopped rising, and their just-in-time compilers
 * take a small share of the processor time. Rates double while code is being compiled, and on slow
 * machines compilers are at work for minutes after that.
 */
public final class Settling {

  /** A slice of warm-up, after which its rate is looked at. */
  public static final Duration SLICE = Duration.ofSeconds(4);

  /** Slices differ by that much anyway. */
  private static final double NOISE = 1.05;

  /** Compilers never rest wholly under load; what is left of them then is within the noise. */
  private static final double COMPILERS_SHARE = 0.1;

  private double best;

  /**
   * Whether the services are warm.
   *
   * @param rate of a slice
   * @param compilers their share of all processor time in the slice, from 0 to 1; NaN where it is
   *     not known, which is taken for a small one
   */
  public boolean hasSettledAt(double rate, double compilers) {
    boolean risesNoMore = best > 0 && rate <= best * NOISE;
    best = Math.max(best, rate);
    return risesNoMore && !(compilers > COMPILERS_SHARE);
  }
}
