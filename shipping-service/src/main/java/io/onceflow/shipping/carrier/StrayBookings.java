package io.onceflow.shipping.carrier;

import io.onceflow.participant.CallKey;
import io.onceflow.reconciliation.Difference;
import io.onceflow.reconciliation.Difference.Kind;
import io.onceflow.reconciliation.Mend;
import io.onceflow.shipping.domain.Carrier;
import jakarta.inject.Singleton;
import java.util.UUID;

/** Takes back what the carrier has booked and no shipment here knows. */
@Singleton
class StrayBookings implements Mend {

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
    return it.kind() == Kind.MISSING_HERE ? "cancel the booking " + it.reference() : "";
  }

  @Override
  public String carryOut(Difference it, CallKey key) throws InterruptedException {
    String order = it.theirs().getFirst().evidence().get("orderId");
    carrier.cancel(key, UUID.fromString(order), it.reference());
    return "cancelled";
  }
}
