package io.onceflow.shipping.carrier;

import io.onceflow.participant.CallKey;
import io.onceflow.reconciliation.Difference;
import io.onceflow.reconciliation.Difference.Kind;
import io.onceflow.reconciliation.Mend;
import io.onceflow.shipping.domain.Carrier;
import jakarta.inject.Singleton;
import java.util.UUID;

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
        it.kind() == Kind.MISSING_HERE && it.theirs().getFirst().evidence().containsKey(ORDER);
    return isKnown ? "cancel the booking " + it.reference() : "";
  }

  @Override
  public String carryOut(Difference it, CallKey key) throws InterruptedException {
    String order = it.theirs().getFirst().evidence().get(ORDER);
    carrier.cancel(key, UUID.fromString(order), it.reference());
    return "cancelled";
  }
}
