package io.onceflow.simulated;

import jakarta.annotation.security.RolesAllowed;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import org.eclipse.microprofile.openapi.annotations.Operation;

/** Shows a ledger to operators, below the path that a subclass names. */
public abstract class LedgerResource {

  private static final String UUID_TEXT = "\\p{XDigit}{8}(-\\p{XDigit}{4}){3}-\\p{XDigit}{12}";
  private static final String NOT_AN_ID = "must be the order's id, a UUID";

  private final SimulatedLedger ledger;

  protected LedgerResource(SimulatedLedger ledger) {
    this.ledger = ledger;
  }

  /**
   * Every effect that an order has caused, oldest first.
   *
   * @param orderId as text: JAX-RS answers 404 to a parameter that it cannot convert
   */
  @GET
  @Path("/ledger")
  @RolesAllowed("operator")
  @Produces(MediaType.APPLICATION_JSON)
  @Operation(summary = "List what the simulated system has done for an order, oldest first")
  public List<LedgerEntry> ledger(
      @QueryParam("orderId")
          @NotNull(message = NOT_AN_ID)
          @Pattern(regexp = UUID_TEXT, message = NOT_AN_ID)
          String orderId)
      throws SQLException {
    return ledger.ofOrder(UUID.fromString(orderId));
  }
}
