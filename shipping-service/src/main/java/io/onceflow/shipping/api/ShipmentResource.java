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

/** Shipments, to those whose orders they are for. */
@Path("/shipments")
@Authenticated
@Tag(name = "Shipments")
@Produces(MediaType.APPLICATION_JSON)
public class ShipmentResource {

  private final ShipmentReads shipments;
  private final SecurityIdentity identity;
  private final JsonWebToken token;

  ShipmentResource(ShipmentReads shipments, SecurityIdentity identity, JsonWebToken token) {
    this.shipments = shipments;
    this.identity = identity;
    this.token = token;
  }

  /** The shipment of an order, if there is one and the caller may see it. */
  @GET
  @Operation(summary = "List the shipments of an order")
  public List<ShipmentView> ofOrder(@QueryParam("orderId") @OrderId String orderId) {
    UUID order = UUID.fromString(orderId);
    List<ShipmentEntity> found =
        identity.hasRole("operator")
            ? shipments.ofOrder(order)
            : shipments.ofOrder(order, token.getSubject());
    return found.stream().map(ShipmentEntity::view).toList();
  }
}
