package io.onceflow.order.api;

import io.onceflow.idempotency.Idempotent;
import io.onceflow.order.saga.OrderSagas;
import io.onceflow.outbox.internal.UnitOfWork;
import io.onceflow.saga.internal.operators.Cancellation;
import io.quarkus.security.Authenticated;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.sql.SQLException;
import java.util.UUID;
import org.eclipse.microprofile.jwt.JsonWebToken;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/** Cancels an order, at any step of its saga. */
@Path("/orders/{id}/cancellation")
@Authenticated
@Tag(name = "Orders")
@Produces(MediaType.APPLICATION_JSON)
public class OrderCancellationResource {

  private final OrderSagas sagas;
  private final OrderReads orders;
  private final UnitOfWork unitOfWork;
  private final JsonWebToken caller;

  OrderCancellationResource(
      OrderSagas sagas, OrderReads orders, UnitOfWork unitOfWork, JsonWebToken caller) {
    this.sagas = sagas;
    this.orders = orders;
    this.unitOfWork = unitOfWork;
    this.caller = caller;
  }

  /**
   * Cancels the caller's own order. If the reply that confirms the order arrives at the same time,
   * the transaction that locks the saga's row first decides; the answer is that of the commit. An
   * order whose saga was deleted after its retention answers by its status.
   */
  @POST
  @Idempotent
  @Operation(
      summary = "Cancel an order",
      description =
          "Has no body. A step that is under way is waited for, and undone once its outcome is"
              + " known; so most orders answer `compensating`, and `GET /orders/{id}` shows"
              + " `CANCELLED` a little later. An order that was cancelled before, for any"
              + " reason, answers the same.")
  @APIResponse(
      responseCode = "202",
      description = "The order is, or is going to be, cancelled",
      content = @Content(schema = @Schema(implementation = Cancellation.class)))
  @APIResponse(responseCode = "404", description = "There is no such order of the caller's")
  @APIResponse(responseCode = "409", description = "`too-late`: the order is confirmed")
  public Response cancel(@PathParam("id") UUID id) throws SQLException {
    String customer = caller.getSubject();
    OrderEntity order = orders.require(customer, id);
    return Cancellation.answer(
        "order",
        unitOfWork.join(tx -> sagas.cancel(tx, id, customer)).or(order::cancelOutcome),
        () ->
            OrderProblemPages.TOO_LATE.because(
                "Order %s has been confirmed: it is paid, and its shipment is arranged."
                    .formatted(id)));
  }
}
