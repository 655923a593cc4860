package io.onceflow.shipping.carrier;

import io.onceflow.inbox.CallNotPermitted;
import io.onceflow.shipping.domain.ArrangeReturn;
import io.onceflow.shipping.domain.ArrangeShipment;
import io.onceflow.shipping.domain.BookingKey;
import io.onceflow.shipping.domain.Carrier;
import io.onceflow.shipping.domain.CarrierUnavailable;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Typed;
import java.util.Optional;
import java.util.UUID;
import org.eclipse.microprofile.faulttolerance.exceptions.BulkheadException;
import org.eclipse.microprofile.faulttolerance.exceptions.CircuitBreakerOpenException;
import org.eclipse.microprofile.faulttolerance.exceptions.TimeoutException;

/**
 * The carrier as the service calls it: behind its {@link CarrierGuard}, whose refusals it puts into
 * the words of the port. A call that the guard did not let through was not made.
 */
@ApplicationScoped
@Typed(GuardedCarrier.class) // not a Carrier to be injected: it is in front of that one
public class GuardedCarrier implements Carrier {

  private final CarrierGuard guard;

  GuardedCarrier(CarrierGuard guard) {
    this.guard = guard;
  }

  @Override
  public Outcome book(BookingKey key, ArrangeShipment command) throws InterruptedException {
    return call(key, () -> guard.book(key, command));
  }

  @Override
  public Outcome fetch(BookingKey key, ArrangeReturn command) throws InterruptedException {
    return call(key, () -> guard.fetch(key, command));
  }

  @Override
  public void cancel(BookingKey key, UUID orderId, String trackingNumber)
      throws InterruptedException {
    call(
        key,
        () -> {
          guard.cancel(key, orderId, trackingNumber);
          return key;
        });
  }

  @Override
  public Optional<String> annul(BookingKey booking, UUID orderId) throws InterruptedException {
    return call(booking, () -> guard.annul(booking, orderId));
  }

  private static <T> T call(BookingKey key, Call<T> call) throws InterruptedException {
    try {
      return call.make();
    } catch (CircuitBreakerOpenException e) {
      throw new CallNotPermitted("the carrier mostly fails and is left alone for a moment", e);
    } catch (BulkheadException e) {
      throw new CallNotPermitted("as many calls to the carrier as may be are under way", e);
    } catch (TimeoutException e) {
      throw new CarrierUnavailable(key, "it took too long");
    }
  }

  @FunctionalInterface
  private interface Call<T> {
    T make() throws InterruptedException;
  }
}
