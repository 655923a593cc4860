package io.onceflow.shipping.carrier;

import io.onceflow.simulated.LedgerNames;
import io.onceflow.simulated.SimulatedLedger;
import jakarta.inject.Singleton;
import javax.sql.DataSource;

/** The simulated carrier's bookings and cancellations, which cost nothing. */
@Singleton
class CarrierLedger extends SimulatedLedger {

  private static final LedgerNames NAMES =
      new LedgerNames("simulated_carrier", "BOOKING", "CANCELLATION", "tracking_number", false);

  CarrierLedger(DataSource database) {
    super(database, NAMES);
  }
}
