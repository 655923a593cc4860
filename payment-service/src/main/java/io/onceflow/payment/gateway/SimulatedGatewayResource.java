package io.onceflow.payment.gateway;

import io.onceflow.simulated.LedgerResource;
import io.onceflow.simulated.SimulatedLedger;
import jakarta.ws.rs.Path;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/** Shows operators what the simulated gateway has charged and refunded. */
@Path("/simulated-gateway")
@Tag(name = "Simulated gateway")
public class SimulatedGatewayResource extends LedgerResource {

  SimulatedGatewayResource(SimulatedLedger ledger) {
    super(ledger);
  }
}
