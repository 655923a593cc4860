package io.onceflow.simulation.broker;

/** How the broker treats the next message. */
public interface BrokerFaults {

  /** Whether it says that it would not take it. */
  boolean refuses();

  /** Whether it takes it and its confirm is lost. */
  boolean losesConfirm();

  /** Whether it takes it, confirms, and loses it. */
  boolean loses();

  /** Whether it delivers it once more. */
  boolean repeats();

  /**
   * How long it lies before it is delivered, in nanoseconds: different for each, so they overtake.
   */
  long delay();

  /** As {@link #delay()}, for what is delivered once more: this may take very long. */
  long repeatDelay();
}
