package io.onceflow.shipping.api;

import io.onceflow.participant.RecordTable;
import io.onceflow.shipping.domain.Carrier;
import io.onceflow.shipping.domain.Shipment;
import io.quarkus.security.Authenticated;
import io.quarkus.security.identity.SecurityIdentity;
import jakarta.validation.constraints.NotNull;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import javax.sql.DataSource;
import org.eclipse.microprofile.jwt.JsonWebToken;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/** Shipments, to those whose orders they are for. */
@Path("/")
@Authenticated
@Produces(MediaType.APPLICATION_JSON)
public class ShipmentResource {

  private final RecordTable<Shipment> shipments;
  private final Carrier carrier;
  private final DataSource database;
  private final SecurityIdentity identity;
  private final JsonWebToken token;

  ShipmentResource(
      RecordTable<Shipment> shipments,
      Carrier carrier,
      DataSource database,
      SecurityIdentity identity,
      JsonWebToken token) {
    this.shipments = shipments;
    this.carrier = carrier;
    this.database = database;
    this.identity = identity;
    this.token = token;
  }

  /** The shipments of an order to its customer, oldest first, that the caller may see. */
  @GET
  @Path("/shipments")
  @Tag(name = "Shipments")
  @Operation(summary = "List the shipments of an order")
  public List<ShipmentView> ofOrder(@QueryParam("orderId") @NotNull UUID orderId)
      throws SQLException {
    return visible(orderId, false);
  }

  /** The shipments by which an order comes back, oldest first, that the caller may see. */
  @GET
  @Path("/return-shipments")
  @Tag(name = "Return shipments")
  @Operation(summary = "List the shipments by which an order comes back")
  public List<ShipmentView> returnsOf(@QueryParam("orderId") @NotNull UUID orderId)
      throws SQLException {
    return visible(orderId, true);
  }

  private List<ShipmentView> visible(UUID orderId, boolean isReturn) throws SQLException {
    return shipments.find(database, "order_id", orderId).stream()
        .filter(it -> it.isReturn() == isReturn && isVisible(it))
        .map(it -> ShipmentView.of(it, carrier))
        .toList();
  }

  private boolean isVisible(Shipment shipment) {
    return identity.hasRole("operator") || shipment.key().scope().equals(token.getSubject());
  }
}
