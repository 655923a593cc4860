package io.onceflow.benchmarks.peers;

/**
 * Which orders of a run are refused and compensated.
 *
 * @param refusedOneIn 10 for one in ten; 0 for none
 */
public record OrderMix(int refusedOneIn) {

  /** Every order goes through. */
  public static final OrderMix ALL_CONFIRMED = new OrderMix(0);

  /** The mix of the comparison. */
  public static final OrderMix ONE_IN_TEN_REFUSED = new OrderMix(10);

  /** Whether the n-th order, counted from 0, is one of those. */
  public boolean isRefused(long n) {
    return refusedOneIn > 0 && n % refusedOneIn == refusedOneIn - 1;
  }
}
