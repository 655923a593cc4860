package io.onceflow.payment.gateway;

import io.onceflow.inbox.CallNotPermitted;
import io.onceflow.payment.domain.ChargeKey;
import io.onceflow.payment.domain.GatewayUnavailable;
import io.onceflow.payment.domain.PaymentGateway;
import io.onceflow.payment.domain.ProcessPayment;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Typed;
import java.util.Optional;
import java.util.UUID;
import org.eclipse.microprofile.faulttolerance.exceptions.BulkheadException;
import org.eclipse.microprofile.faulttolerance.exceptions.CircuitBreakerOpenException;
import org.eclipse.microprofile.faulttolerance.exceptions.TimeoutException;

/**
 * The gateway as the service calls it: behind its {@link GatewayGuard}, whose refusals it puts into
 * the words of the port. A call that the guard did not let through was not made.
 */
@ApplicationScoped
@Typed(GuardedGateway.class) // not a PaymentGateway to be injected: it is in front of that one
public class GuardedGateway implements PaymentGateway {

  private final GatewayGuard guard;

  GuardedGateway(GatewayGuard guard) {
    this.guard = guard;
  }

  @Override
  public Outcome charge(ChargeKey key, ProcessPayment command) throws InterruptedException {
    return call(key, () -> guard.charge(key, command));
  }

  @Override
  public void refund(ChargeKey key, String charge, long amount) throws InterruptedException {
    call(
        key,
        () -> {
          guard.refund(key, charge, amount);
          return key;
        });
  }

  @Override
  public Optional<Annulled> annul(ChargeKey charge, UUID orderId) throws InterruptedException {
    return call(charge, () -> guard.annul(charge, orderId));
  }

  private static <T> T call(ChargeKey key, Call<T> call) throws InterruptedException {
    try {
      return call.make();
    } catch (CircuitBreakerOpenException e) {
      throw new CallNotPermitted("the gateway mostly fails and is left alone for a moment", e);
    } catch (BulkheadException e) {
      throw new CallNotPermitted("as many calls to the gateway as may be are under way", e);
    } catch (TimeoutException e) {
      throw new GatewayUnavailable(key, "it took too long");
    }
  }

  @FunctionalInterface
  private interface Call<T> {
    T make() throws InterruptedException;
  }
}
