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
 * which order: a label of EasyPost's that was bought elsewhere may belong to another application
 * with the same account. Asks again for cancellations that have failed.
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
    if (isKnown) {
      return "cancel the booking " + it.reference();
    }
    return isCancellationThatFailed(it)
        ? "ask again for the cancellation of the booking %s, which has failed"
            .formatted(it.reference())
        : "";
  }

  private static boolean isCancellationThatFailed(Difference it) {
    return it.kind() == Kind.STATE
        && it.ours().getFirst().state().equals("CANCELLED")
        && it.theirs().getFirst().state().equals("BOOKED")
        && it.ours().getFirst().callKey().isPresent();
  }

  @Override
  public String carryOut(Difference it, CallKey key) throws InterruptedException {
    BookEntry booking =
        it.kind() == Kind.MISSING_HERE ? it.theirs().getFirst() : it.ours().getFirst();
    // The key of the step's compensation, should it come after all.
    CallKey cancellation = booking.callKey().map(Carrier::cancellationOf).orElse(key);
    carrier.cancel(cancellation, booking.id(ORDER).orElseThrow(), it.reference());
    return "cancelled";
  }
}
