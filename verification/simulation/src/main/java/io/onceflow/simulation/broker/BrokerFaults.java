package io.onceflow.simulation.broker;

/** How the broker treats the next message. */
public interface BrokerFaults {

  /** Whether it rejects the message. */
  boolean refuses();

  /** Whether it stores the message and its confirm is lost. */
  boolean losesConfirm();

  /** Whether it confirms the message and loses it. */
  boolean loses();

  /** Whether it delivers it once more. */
  boolean repeats();

  /**
   * How long it waits before it is delivered, in nanoseconds: different for each, so they overtake.
   */
  long delay();

  /** As {@link #delay()}, for redeliveries, which may take very long. */
  long repeatDelay();
}
