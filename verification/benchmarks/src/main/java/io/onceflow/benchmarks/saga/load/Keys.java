package io.onceflow.benchmarks.saga.load;

/** New idempotency keys, about as long as a UUID. For one thread. */
final class Keys {

  private final String run = Long.toString(System.nanoTime(), Character.MAX_RADIX);
  private long soFar;

  String next() {
    return "bench-%s-%012d".formatted(run, soFar++);
  }

  /** The key that was given out as the n-th, from 0. */
  String get(long n) {
    return "bench-%s-%012d".formatted(run, n);
  }
}
