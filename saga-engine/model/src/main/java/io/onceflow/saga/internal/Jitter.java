package io.onceflow.saga.internal;

import java.util.UUID;

/**
 * Spreads timers that would otherwise fire at the same moment. A pure function of saga, step and
 * attempt, so that the same saga has the same timers in every run.
 */
@FunctionalInterface
public interface Jitter {

  /** Spreads nothing: for tests that count seconds. */
  Jitter NONE = (saga, step, attempt) -> 0;

  /** Spreads evenly, by a hash of its arguments. */
  Jitter HASHED =
      (saga, step, attempt) -> {
        long mixed = saga.getMostSignificantBits() ^ saga.getLeastSignificantBits();
        mixed = scramble(mixed + step.hashCode());
        mixed = scramble(mixed + attempt);
        return (mixed >>> 11) * 0x1.0p-53; // 53 bits are what a double holds exactly
      };

  /** From 0 to less than 1: how much of the spread this attempt of this step gets. */
  double share(UUID saga, String step, int attempt);

  /** The finalizer of SplittableRandom: every bit of the input affects every bit of the output. */
  private static long scramble(long bits) {
    long z = (bits ^ (bits >>> 30)) * 0xbf58476d1ce4e5b9L;
    z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
    return z ^ (z >>> 31);
  }
}
