package io.onceflow.shipping.carrier;

import io.onceflow.participant.CallKey;
import io.onceflow.reconciliation.BookEntry;
import io.onceflow.reconciliation.Difference;
import io.onceflow.reconciliation.Difference.Kind;
import io.onceflow.reconciliation.Mend;
import io.onceflow.shipping.domain.Carrier;
import jakarta.inject.Singleton;

/**
 * Takes back what the carrier has booked and no shipment here knows, where the carrier tells for
 * which order: a label of EasyPost's that was bought elsewhere may be somebody's who uses the same
 * account.
 */
@Singleton
class StrayBookings implements Mend {

  private static final String ORDER = "orderId";

  private final Carrier carrier;

  StrayBookings(Carrier carrier) {
    this.carrier = carrier;
  }

  @Override
  public String comparison() {
    return "shipments-carrier";
  }

  @Override
  public String proposal(Difference it) {
    boolean isKnown =
        it.kind() == Kind.MISSING_HERE && it.theirs().getFirst().id(ORDER).isPresent();
    return isKnown ? "cancel the booking " + it.reference() : "";
  }

  @Override
  public String carryOut(Difference it, CallKey key) throws InterruptedException {
    BookEntry booking = it.theirs().getFirst();
    // The key of the step's compensation, should it come after all.
    CallKey cancellation = booking.callKey().map(Carrier::cancellationOf).orElse(key);
    carrier.cancel(cancellation, booking.id(ORDER).orElseThrow(), it.reference());
    return "cancelled";
  }
}
