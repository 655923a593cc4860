package io.onceflow.payment.api;

import io.onceflow.participant.RecordTable;
import io.onceflow.payment.domain.Payment;
import io.onceflow.payment.domain.PaymentGateway;
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
import java.util.Optional;
import java.util.UUID;
import javax.sql.DataSource;
import org.eclipse.microprofile.jwt.JsonWebToken;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/** Payments, to those whose orders they are for. */
@Path("/payments")
@Authenticated
@Tag(name = "Payments")
@Produces(MediaType.APPLICATION_JSON)
public class PaymentResource {

  private final RecordTable<Payment> payments;
  private final PaymentGateway gateway;
  private final DataSource database;
  private final SecurityIdentity identity;
  private final JsonWebToken token;

  PaymentResource(
      RecordTable<Payment> payments,
      PaymentGateway gateway,
      DataSource database,
      SecurityIdentity identity,
      JsonWebToken token) {
    this.payments = payments;
    this.gateway = gateway;
    this.database = database;
    this.identity = identity;
    this.token = token;
  }

  /** The payments of an order that the caller may see. */
  @GET
  @Operation(summary = "List the payments of an order")
  public List<PaymentView> ofOrder(@QueryParam("orderId") @NotNull UUID orderId)
      throws SQLException {
    return payments.find(database, "order_id", orderId).stream()
        .filter(this::isVisible)
        .map(it -> PaymentView.of(it, refundFailure(it)))
        .toList();
  }

  private Optional<String> refundFailure(Payment payment) {
    String charge = payment.gatewayReference();
    return charge != null && identity.hasRole("operator")
        ? gateway.refundFailure(payment.orderId(), charge)
        : Optional.empty();
  }

  private boolean isVisible(Payment payment) {
    return identity.hasRole("operator") || payment.key().scope().equals(token.getSubject());
  }
}
