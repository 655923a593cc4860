package io.onceflow.idempotency;

/** What is known of one {@link Backpressure} between two looks at it. Not thread-safe. */
final class Backlog {

  private final Backpressure pressure;
  private final long bound;
  private long seen;
  private long admitted;
  private long admittedBeforeLook;

  Backlog(Backpressure pressure) {
    this.pressure = pressure;
    this.bound = pressure.bound();
  }

  Backpressure pressure() {
    return pressure;
  }

  String name() {
    return pressure.name();
  }

  long bound() {
    return bound;
  }

  /** As many as were seen, and whoever was let in since; some of those may have been seen too. */
  long estimate() {
    return seen + admitted;
  }

  boolean isFull() {
    return estimate() >= bound;
  }

  void admit() {
    admitted++;
  }

  /** A look begins; whoever is let in from now on may be missing in what it sees. */
  void beginLook() {
    admittedBeforeLook = admitted;
  }

  /** What the look has seen; 0 when it has failed. */
  void endLook(long waiting) {
    seen = waiting;
    admitted -= admittedBeforeLook;
    admittedBeforeLook = 0;
  }
}
