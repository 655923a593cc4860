package io.onceflow.saga.internal.store.minute;

import java.util.Arrays;
import java.util.Map;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * Durations as counts in fixed buckets, which can be added up over minutes and replicas. Each is a
 * fifth wider than the one before it, so a percentile is off by a tenth at most.
 */
public final class DurationBuckets {

  /** Of those, the upper bound of one is twice that of the other. */
  private static final int PER_DOUBLING = 4;

  /** The last one starts at a hundred days; what takes longer is in it. */
  private static final int MOST = 33 * PER_DOUBLING;

  private int[] counts = {};

  /** The bucket of a duration: that of 1 ms and less is 0. */
  static int bucket(long millis) {
    double exact = PER_DOUBLING * Math.log(Math.max(1, millis)) / Math.log(2);
    return (int) Math.min(MOST, Math.round(exact));
  }

  /** The middle of a bucket. */
  static long millis(int bucket) {
    return Math.round(Math.pow(2, (double) bucket / PER_DOUBLING));
  }

  /** Counts one. */
  public void add(long millis) {
    int bucket = bucket(millis);
    if (bucket >= counts.length) {
      counts = Arrays.copyOf(counts, bucket + 1);
    }
    counts[bucket]++;
  }

  /** As the text of an {@code int[]}; the buckets after the last that has any are left out. */
  String array() {
    return Arrays.toString(counts).replace('[', '{').replace(']', '}');
  }

  /**
   * What a share of the durations does not exceed.
   *
   * @param counts by bucket
   * @param share such as 0.99
   * @return null where there are none
   */
  static @Nullable Long percentile(SortedMap<Integer, Long> counts, double share) {
    long all = counts.values().stream().mapToLong(it -> it).sum();
    long below = 0;
    for (Map.Entry<Integer, Long> bucket : counts.entrySet()) {
      below += bucket.getValue();
      if (below >= all * share) {
        return millis(bucket.getKey());
      }
    }
    return null;
  }
}
