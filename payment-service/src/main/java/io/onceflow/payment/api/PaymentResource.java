package io.onceflow.payment.api;

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

/** Payments, to those whose orders they are for. */
@Path("/payments")
@Authenticated
@Tag(name = "Payments")
@Produces(MediaType.APPLICATION_JSON)
public class PaymentResource {

  private final PaymentReads payments;
  private final SecurityIdentity identity;
  private final JsonWebToken token;

  PaymentResource(PaymentReads payments, SecurityIdentity identity, JsonWebToken token) {
    this.payments = payments;
    this.identity = identity;
    this.token = token;
  }

  /** The payment of an order, if there is one and the caller may see it. */
  @GET
  @Operation(summary = "List the payments of an order")
  public List<PaymentView> ofOrder(@QueryParam("orderId") @OrderId String orderId) {
    UUID order = UUID.fromString(orderId);
    List<PaymentEntity> found =
        identity.hasRole("operator")
            ? payments.ofOrder(order)
            : payments.ofOrder(order, token.getSubject());
    return found.stream().map(PaymentEntity::view).toList();
  }
}
