package io.onceflow.shipping.carrier;

import io.onceflow.shipping.domain.ArrangeReturn;
import io.onceflow.shipping.domain.ArrangeShipment;
import io.onceflow.shipping.domain.BookingKey;
import io.onceflow.shipping.domain.Carrier;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.Optional;
import java.util.UUID;
import org.eclipse.microprofile.faulttolerance.Bulkhead;
import org.eclipse.microprofile.faulttolerance.CircuitBreaker;
import org.eclipse.microprofile.faulttolerance.Timeout;

/**
 * Stands between the service and whichever carrier it has: gives up on a call that takes too long,
 * leaves a carrier alone that mostly fails, and bounds the calls of each kind, which the carrier
 * allows only so many of.
 *
 * <p>The numbers are defaults of MicroProfile Fault Tolerance and can be set as such, per method:
 * {@code io.onceflow.shipping.carrier.CarrierGuard/book/Timeout/value}. The time is short of {@code
 * onceflow.inbox.call-out.deadline}, which is the last net beneath this one. Nothing is retried
 * here: the inbox does, and counts.
 */
@ApplicationScoped
class CarrierGuard {

  /** Milliseconds; more than the slowest carrier that still answers, which takes three seconds. */
  private static final long PATIENCE = 5_000;

  /** As {@code onceflow.inbox.call-out.concurrency}: whoever raises that raises this as well. */
  private static final int AT_ONCE = 12;

  /** Enough calls to tell an outage from the trouble of one customer. */
  private static final int CALLS_WATCHED = 40;

  /** A carrier that answers fewer than a quarter of its calls is not there. */
  private static final double FAILING = 0.75;

  /** Milliseconds until one call may try whether it is back. */
  private static final long REST = 2_000;

  private final Carrier carrier;

  CarrierGuard(Carrier carrier) {
    this.carrier = carrier;
  }

  @Timeout(PATIENCE)
  @Bulkhead(AT_ONCE)
  @CircuitBreaker(requestVolumeThreshold = CALLS_WATCHED, failureRatio = FAILING, delay = REST)
  Carrier.Outcome book(BookingKey key, ArrangeShipment command) throws InterruptedException {
    return carrier.book(key, command);
  }

  @Timeout(PATIENCE)
  @Bulkhead(AT_ONCE)
  @CircuitBreaker(requestVolumeThreshold = CALLS_WATCHED, failureRatio = FAILING, delay = REST)
  Carrier.Outcome fetch(BookingKey key, ArrangeReturn command) throws InterruptedException {
    return carrier.fetch(key, command);
  }

  @Timeout(PATIENCE)
  @Bulkhead(AT_ONCE)
  @CircuitBreaker(requestVolumeThreshold = CALLS_WATCHED, failureRatio = FAILING, delay = REST)
  void cancel(BookingKey key, UUID orderId, String trackingNumber) throws InterruptedException {
    carrier.cancel(key, orderId, trackingNumber);
  }

  @Timeout(PATIENCE)
  @Bulkhead(AT_ONCE)
  @CircuitBreaker(requestVolumeThreshold = CALLS_WATCHED, failureRatio = FAILING, delay = REST)
  Optional<String> annul(BookingKey booking, UUID orderId) throws InterruptedException {
    return carrier.annul(booking, orderId);
  }
}
