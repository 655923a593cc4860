package io.onceflow.payment.gateway;

import io.onceflow.simulated.LedgerNames;
import io.onceflow.simulated.SimulatedLedger;
import jakarta.inject.Singleton;
import javax.sql.DataSource;

/** The simulated gateway's charges and refunds. */
@Singleton
class GatewayLedger extends SimulatedLedger {

  private static final LedgerNames NAMES =
      new LedgerNames("simulated_gateway", "CHARGE", "REFUND", "reference", true);

  GatewayLedger(DataSource database) {
    super(database, NAMES);
  }
}
