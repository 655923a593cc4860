package io.onceflow.shipping.carrier;

import io.onceflow.service.http.OrderId;
import jakarta.annotation.security.RolesAllowed;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/** Lets operators look into the simulated carrier's books. */
@Path("/simulated-carrier")
@Tag(name = "Simulated carrier")
@Produces(MediaType.APPLICATION_JSON)
public class SimulatedCarrierResource {

  private final CarrierLedger ledger;

  SimulatedCarrierResource(CarrierLedger ledger) {
    this.ledger = ledger;
  }

  /** Everything that the carrier has done for an order, oldest first. */
  @GET
  @Path("/ledger")
  @RolesAllowed("operator")
  @Operation(summary = "List what the carrier has done for an order")
  public List<LedgerEntry> ledger(@QueryParam("orderId") @OrderId String orderId)
      throws SQLException {
    return ledger.ofOrder(UUID.fromString(orderId));
  }
}
