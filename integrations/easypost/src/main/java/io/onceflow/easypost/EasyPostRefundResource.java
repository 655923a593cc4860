package io.onceflow.easypost;

import io.onceflow.core.internal.Printable;
import io.onceflow.easypost.EasyPostRefundTable.LabelRefund;
import io.onceflow.saga.internal.operators.CallingOperator;
import io.onceflow.saga.internal.operators.Roles;
import io.quarkus.security.identity.SecurityIdentity;
import jakarta.annotation.security.RolesAllowed;
import jakarta.enterprise.inject.Instance;
import jakarta.validation.Valid;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;
import jakarta.ws.rs.ClientErrorException;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.NotFoundException;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.ServiceUnavailableException;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response.Status;
import java.sql.SQLException;
import java.util.List;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jspecify.annotations.Nullable;

/** Shows operators the labels that EasyPost does not refund, and lets them retry or end that. */
@Path("/easypost/refunds")
@Tag(name = "Shipments")
@Produces(MediaType.APPLICATION_JSON)
public class EasyPostRefundResource {

  private static final long RETRY_SECONDS = 5;

  private final EasyPostRefundTable table;
  private final Instance<EasyPostLabels> labels;
  private final SecurityIdentity caller;

  EasyPostRefundResource(
      EasyPostRefundTable table, Instance<EasyPostLabels> labels, SecurityIdentity caller) {
    this.table = table;
    this.labels = labels;
    this.caller = caller;
  }

  /**
   * The refund of a label.
   *
   * @param shipment EasyPost's id
   * @param reference what was shipped, such as an order's id
   * @param trackingCode null of a label that has none
   * @param failure EasyPost's word for why it is not made; null where nothing failed
   * @param resolved whether an operator has ended it
   */
  public record LabelRefundView(
      String shipment,
      String reference,
      @Nullable String trackingCode,
      @Nullable String failure,
      boolean resolved) {

    static LabelRefundView of(LabelRefund refund) {
      return new LabelRefundView(
          refund.shipmentId(),
          refund.subject(),
          refund.trackingCode(),
          refund.failure(),
          refund.isResolved());
    }
  }

  /**
   * Why a refund is requested again, or ended; kept in the audit log.
   *
   * @param reason in the operator's words, one line; of one that is ended it says where the money
   *     is
   */
  public record LabelResolution(
      @Schema(examples = "the parcel was delivered; the postage stays with the carrier")
          @NotBlank
          @Size(max = 500, message = "must be at most 500 characters")
          @Pattern(regexp = Printable.VISIBLE, message = "must be one line of visible text")
          String reason) {}

  /**
   * Refunds of labels.
   *
   * @param reference what was shipped; without it, all that failed and are not resolved
   */
  @GET
  @RolesAllowed({Roles.VIEWER, Roles.OPERATOR})
  @Operation(
      summary =
          "List the labels of an order that are given up, or the first 100 whose refund failed")
  public List<LabelRefundView> list(@QueryParam("reference") @Nullable String reference)
      throws SQLException {
    List<LabelRefund> found =
        reference == null || reference.indexOf('\0') >= 0 ? table.open() : table.of(reference);
    return found.stream().map(LabelRefundView::of).toList();
  }

  /**
   * Asks for a refund again.
   *
   * @param shipment EasyPost's id
   */
  @POST
  @Path("/{shipment}/retry")
  @Consumes(MediaType.APPLICATION_JSON)
  @RolesAllowed(Roles.OPERATOR)
  @Operation(summary = "Ask EasyPost again for the refund of a label that failed")
  @APIResponse(responseCode = "404", description = "No label of this shipment is given up")
  @APIResponse(
      responseCode = "409",
      description = "Nothing failed, it is resolved, or it fails again")
  @APIResponse(responseCode = "503", description = "EasyPost did not answer; try again")
  public LabelRefundView retry(
      @PathParam("shipment") String shipment, @NotNull @Valid LabelResolution why)
      throws SQLException, InterruptedException {
    read(shipment);
    table
        .retry(shipment, CallingOperator.of(caller).name(), why.reason())
        .orElseThrow(
            () ->
                new ClientErrorException(
                    "Shipment %s: nothing failed, or it is resolved".formatted(shipment),
                    Status.CONFLICT));
    try {
      labels.get().refund(shipment);
    } catch (EasyPostRefundFailed e) {
      throw new ClientErrorException(e.getMessage(), Status.CONFLICT, e);
    } catch (EasyPostUnavailable e) {
      throw new ServiceUnavailableException("EasyPost did not answer; try again", RETRY_SECONDS, e);
    }
    return read(shipment);
  }

  /**
   * Ends a refund.
   *
   * @param shipment EasyPost's id
   */
  @POST
  @Path("/{shipment}/resolve")
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
    table
        .resolve(shipment, CallingOperator.of(caller).name(), resolution.reason())
        .orElseThrow(
            () ->
                new NotFoundException(
                    "No label of shipment %s is given up, or it is resolved already"
                        .formatted(shipment)));
  }

  private LabelRefundView read(String shipment) throws SQLException {
    return table
        .find(shipment)
        .map(LabelRefundView::of)
        .orElseThrow(
            () -> new NotFoundException("No label of shipment %s is given up".formatted(shipment)));
  }
}
