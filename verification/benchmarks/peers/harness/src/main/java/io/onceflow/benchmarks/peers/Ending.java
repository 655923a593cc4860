package io.onceflow.benchmarks.peers;

/** How an order's saga ended. */
public enum Ending {
  CONFIRMED,
  CANCELLED
}
