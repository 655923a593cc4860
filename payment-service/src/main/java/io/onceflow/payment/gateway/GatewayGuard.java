package io.onceflow.payment.gateway;

import io.onceflow.payment.domain.ChargeKey;
import io.onceflow.payment.domain.PaymentGateway;
import io.onceflow.payment.domain.ProcessPayment;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.Optional;
import java.util.UUID;
import org.eclipse.microprofile.faulttolerance.Bulkhead;
import org.eclipse.microprofile.faulttolerance.CircuitBreaker;
import org.eclipse.microprofile.faulttolerance.Timeout;

/**
 * Stands between the service and whichever gateway it has: gives up on a call that takes too long,
 * leaves a gateway alone that mostly fails, and bounds the calls of each kind, which the gateway
 * allows only so many of.
 *
 * <p>The numbers are defaults of MicroProfile Fault Tolerance and can be set as such, per method:
 * {@code io.onceflow.payment.gateway.GatewayGuard/charge/Timeout/value}. The time is short of
 * {@code onceflow.inbox.call-out.deadline}, which is the last net beneath this one. Nothing is
 * retried here: the inbox does, and counts.
 */
@ApplicationScoped
class GatewayGuard {

  /** Milliseconds; more than the slowest gateway that still answers, which takes three seconds. */
  private static final long PATIENCE = 5_000;

  /** As {@code onceflow.inbox.call-out.concurrency}: whoever raises that raises this as well. */
  private static final int AT_ONCE = 12;

  /** Enough calls to tell an outage from the trouble of one customer. */
  private static final int CALLS_WATCHED = 40;

  /** A gateway that answers fewer than a quarter of its calls is not there. */
  private static final double FAILING = 0.75;

  /** Milliseconds until one call may try whether it is back. */
  private static final long REST = 2_000;

  private final PaymentGateway gateway;

  GatewayGuard(PaymentGateway gateway) {
    this.gateway = gateway;
  }

  @Timeout(PATIENCE)
  @Bulkhead(AT_ONCE)
  @CircuitBreaker(requestVolumeThreshold = CALLS_WATCHED, failureRatio = FAILING, delay = REST)
  PaymentGateway.Outcome charge(ChargeKey key, ProcessPayment command) throws InterruptedException {
    return gateway.charge(key, command);
  }

  @Timeout(PATIENCE)
  @Bulkhead(AT_ONCE)
  @CircuitBreaker(requestVolumeThreshold = CALLS_WATCHED, failureRatio = FAILING, delay = REST)
  void refund(ChargeKey key, String charge, long amount) throws InterruptedException {
    gateway.refund(key, charge, amount);
  }

  @Timeout(PATIENCE)
  @Bulkhead(AT_ONCE)
  @CircuitBreaker(requestVolumeThreshold = CALLS_WATCHED, failureRatio = FAILING, delay = REST)
  Optional<PaymentGateway.Annulled> annul(ChargeKey charge, UUID orderId)
      throws InterruptedException {
    return gateway.annul(charge, orderId);
  }
}
