package io.onceflow.payment.gateway;

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

/** Lets operators look into the simulated gateway's books. */
@Path("/simulated-gateway")
@Tag(name = "Simulated gateway")
@Produces(MediaType.APPLICATION_JSON)
public class SimulatedGatewayResource {

  private final GatewayLedger ledger;

  SimulatedGatewayResource(GatewayLedger ledger) {
    this.ledger = ledger;
  }

  /** Every effect that an order has had at the gateway, oldest first. */
  @GET
  @Path("/ledger")
  @RolesAllowed("operator")
  @Operation(summary = "List what the gateway has moved for an order")
  public List<LedgerEntry> ledger(@QueryParam("orderId") @OrderId String orderId)
      throws SQLException {
    return ledger.ofOrder(UUID.fromString(orderId));
  }
}
