package io.onceflow.benchmarks.peers;

import java.util.concurrent.atomic.LongAdder;

/**
 * The payment gateway, the carrier and the orders behind a peer's steps. They are in memory and
 * answer at once: what is measured is the peer.
 */
public final class SimulatedServices {

  /** The answer of the carrier that refuses. */
  public static final String REFUSED = "";

  private final LongAdder charges = new LongAdder();
  private final LongAdder refunds = new LongAdder();
  private final LongAdder bookings = new LongAdder();
  private final LongAdder confirmed = new LongAdder();
  private final LongAdder cancelled = new LongAdder();

  /** Step one. Returns the gateway's reference. */
  public String charge(PeerOrder order) {
    charges.increment();
    return "ch_" + order.id();
  }

  /** Undoes step one. Returns the gateway's reference. */
  public String refund(PeerOrder order) {
    refunds.increment();
    return "re_" + order.id();
  }

  /** Step two. Returns the tracking number, or {@link #REFUSED}. */
  public String book(PeerOrder order) {
    if (order.country().equals(PeerOrder.REFUSED_COUNTRY)) {
      return REFUSED;
    }
    bookings.increment();
    return "tr_" + order.id();
  }

  /** Step three, the end of an order that went through. */
  public Ending confirm(PeerOrder order) {
    confirmed.increment();
    return Ending.CONFIRMED;
  }

  /** The end of an order that was compensated. */
  public Ending cancel(PeerOrder order) {
    cancelled.increment();
    return Ending.CANCELLED;
  }

  /** What was done so far. */
  public Effects effects() {
    return new Effects(
        charges.sum(), refunds.sum(), bookings.sum(), confirmed.sum(), cancelled.sum());
  }
}
