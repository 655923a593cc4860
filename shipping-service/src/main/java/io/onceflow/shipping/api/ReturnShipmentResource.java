package io.onceflow.shipping.api;

import io.onceflow.service.http.OrderId;
import io.quarkus.security.Authenticated;
import io.quarkus.security.identity.SecurityIdentity;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import java.util.List;
import java.util.UUID;
import org.eclipse.microprofile.jwt.JsonWebToken;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/** Shipments that come back, to those whose orders they are of. */
@Path("/return-shipments")
@Authenticated
@Tag(name = "Return shipments")
@Produces(MediaType.APPLICATION_JSON)
public class ReturnShipmentResource {

  private final ShipmentReads shipments;
  private final SecurityIdentity identity;
  private final JsonWebToken token;

  ReturnShipmentResource(ShipmentReads shipments, SecurityIdentity identity, JsonWebToken token) {
    this.shipments = shipments;
    this.identity = identity;
    this.token = token;
  }

  /** The shipments by which an order comes back, oldest first, if the caller may see them. */
  @GET
  @Operation(summary = "List the shipments by which an order comes back")
  public List<ReturnShipmentView> ofOrder(@QueryParam("orderId") @OrderId String orderId) {
    UUID order = UUID.fromString(orderId);
    List<ShipmentEntity> found =
        identity.hasRole("operator")
            ? shipments.returnsOf(order)
            : shipments.returnsOf(order, token.getSubject());
    return found.stream().map(ShipmentEntity::returnView).toList();
  }
}
