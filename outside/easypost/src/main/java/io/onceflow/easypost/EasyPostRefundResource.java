package io.onceflow.easypost;

import io.onceflow.core.internal.Printable;
import io.onceflow.saga.internal.operators.CallingOperator;
import io.onceflow.saga.internal.operators.Roles;
import io.quarkus.security.identity.SecurityIdentity;
import jakarta.annotation.security.RolesAllowed;
import jakarta.validation.Valid;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.NotFoundException;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.core.MediaType;
import java.sql.SQLException;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/** Lets operators end the refund of a label that EasyPost does not make. */
@Path("/easypost/refunds/{shipment}/resolve")
@Tag(name = "Shipments")
public class EasyPostRefundResource {

  private final EasyPostRequests requests;
  private final SecurityIdentity caller;

  EasyPostRefundResource(EasyPostRequests requests, SecurityIdentity caller) {
    this.requests = requests;
    this.caller = caller;
  }

  /**
   * Why a refund is ended; kept in the audit log.
   *
   * @param reason in the operator's words, one line; it says where the money is
   */
  public record LabelResolution(
      @Schema(examples = "the parcel was delivered; the postage stays with the carrier")
          @NotBlank
          @Size(max = 500, message = "must be at most 500 characters")
          @Pattern(regexp = Printable.VISIBLE, message = "must be one line of visible text")
          String reason) {}

  /**
   * Ends a refund.
   *
   * @param shipment EasyPost's id
   */
  @POST
  @Consumes(MediaType.APPLICATION_JSON)
  @RolesAllowed(Roles.OPERATOR)
  @Operation(
      summary = "End the refund of a label that EasyPost does not make",
      description =
          "EasyPost is not asked for it again. A saga that waits for it is answered at its next"
              + " attempt; retry the saga to have that at once.")
  @APIResponse(responseCode = "204", description = "It is ended")
  @APIResponse(
      responseCode = "404",
      description = "No label of this shipment is given up, or it is resolved already")
  public void resolve(
      @PathParam("shipment") String shipment, @NotNull @Valid LabelResolution resolution)
      throws SQLException {
    if (!requests.resolve(shipment, CallingOperator.of(caller).name(), resolution.reason())) {
      throw new NotFoundException(
          "No label of shipment %s is given up, or it is resolved already".formatted(shipment));
    }
  }
}
