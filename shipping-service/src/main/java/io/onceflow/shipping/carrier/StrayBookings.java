package io.onceflow.shipping.carrier;

import io.onceflow.participant.CallKey;
import io.onceflow.reconciliation.Difference;
import io.onceflow.reconciliation.Difference.Kind;
import io.onceflow.reconciliation.Mend;
import io.onceflow.shipping.domain.Carrier;
import jakarta.inject.Singleton;
import java.util.Map;
import java.util.Optional;
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
    Map<String, String> evidence = it.theirs().getFirst().evidence();
    UUID order = UUID.fromString(evidence.get(ORDER));
    carrier.cancel(cancellationOf(evidence).orElse(key), order, it.reference());
    return "cancelled";
  }

  /**
   * The key under which the compensation of the step that has booked would cancel, should it come
   * after all: the booking has one cancellation.
   */
  private static Optional<CallKey> cancellationOf(Map<String, String> evidence) {
    String customer = evidence.get("customer");
    String stepKey = evidence.get("idempotencyKey");
    if (customer == null || stepKey == null) {
      return Optional.empty();
    }
    try {
      return Optional.of(Carrier.cancellationOf(CallKey.of(customer, stepKey)));
    } catch (IllegalArgumentException notOfAStep) {
      return Optional.empty();
    }
  }
}
