package io.onceflow.simulated;

import java.util.UUID;

/** A system whose effects cost nothing, and whose ledger has no columns for amounts. */
class SystemWithoutAmountsTest extends SimulatedSystemLaws {

  SystemWithoutAmountsTest() {
    super(new LedgerNames("post", "BOOKING", "CANCELLATION", "tracking_number", false));
  }

  @Override
  SimulatedEffect effect(UUID orderId) {
    return new SimulatedEffect(orderId, "SIM-" + UUID.randomUUID());
  }
}
