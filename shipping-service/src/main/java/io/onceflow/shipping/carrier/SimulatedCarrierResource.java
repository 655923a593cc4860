package io.onceflow.shipping.carrier;

import io.onceflow.simulated.LedgerResource;
import io.onceflow.simulated.SimulatedLedger;
import jakarta.ws.rs.Path;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/** Shows operators what the simulated carrier has booked and cancelled. */
@Path("/simulated-carrier")
@Tag(name = "Simulated carrier")
public class SimulatedCarrierResource extends LedgerResource {

  SimulatedCarrierResource(SimulatedLedger ledger) {
    super(ledger);
  }
}
