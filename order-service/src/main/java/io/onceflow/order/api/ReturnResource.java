package io.onceflow.order.api;

import io.onceflow.idempotency.GuardedRequest;
import io.onceflow.idempotency.Idempotent;
import io.onceflow.order.domain.OrderReturn;
import io.onceflow.order.domain.OrderStatus;
import io.onceflow.order.saga.ReturnSagas;
import io.onceflow.order.saga.ReturnSagas.Answer;
import io.onceflow.order.saga.ReturnSagas.NewReturn;
import io.onceflow.outbox.Outbox.Transaction;
import io.onceflow.outbox.Transactions;
import io.onceflow.saga.Sagas;
import io.quarkiverse.resteasy.problem.HttpProblem;
import io.quarkus.security.Authenticated;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.HeaderParam;
import jakarta.ws.rs.NotFoundException;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.sql.SQLException;
import java.util.Optional;
import java.util.UUID;
import org.eclipse.microprofile.jwt.JsonWebToken;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jspecify.annotations.Nullable;

/** Giving an order back. */
@Path("/orders/{id}/return")
@Authenticated
@Tag(name = "Returns")
@Produces(MediaType.APPLICATION_JSON)
public class ReturnResource {

  private final ReturnSagas sagas;
  private final OrderReads orders;
  private final Transactions transactions;
  private final GuardedRequest guarded;
  private final JsonWebToken caller;

  ReturnResource(
      ReturnSagas sagas,
      OrderReads orders,
      Transactions transactions,
      GuardedRequest guarded,
      JsonWebToken caller) {
    this.sagas = sagas;
    this.orders = orders;
    this.transactions = transactions;
    this.guarded = guarded;
    this.caller = caller;
  }

  /** Starts to take an order back; its saga takes it from here. */
  @POST
  @Idempotent
  @Operation(summary = "Return an order")
  @APIResponse(
      responseCode = "202",
      description = "The return has started; read it at the Location",
      content = @Content(schema = @Schema(implementation = ReturnView.class)))
  @APIResponse(responseCode = "404", description = "There is no such order of the caller's")
  @APIResponse(
      responseCode = "409",
      description = "`order-not-confirmed`, or `return-under-way` under another key")
  public Response begin(
      @PathParam("id") UUID id, @HeaderParam("traceparent") @Nullable String traceparent)
      throws SQLException {
    NewReturn asked =
        new NewReturn(id, caller.getSubject(), guarded.key(), Sagas.traceparent(traceparent));
    return switch (transactions.join(tx -> sagas.begin(tx, asked))) {
      case Answer.Begun begun -> accepted(begun.wish());
      case Answer.NoOrder() -> throw OrderReads.none(id);
      case Answer.NotConfirmed(OrderStatus status) -> throw notConfirmed(id, status);
      case Answer.UnderWay(OrderReturn wish) -> throw underWay(id, wish);
    };
  }

  /** The last return that was asked for of an order, with its saga's steps and history. */
  @GET
  @Operation(summary = "Read the return of an order")
  public ReturnView read(@PathParam("id") UUID id) throws SQLException {
    orders.require(caller.getSubject(), id);
    return transactions
        .call(tx -> view(tx, id))
        .orElseThrow(() -> new NotFoundException("No return of order " + id + " was requested."));
  }

  private Optional<ReturnView> view(Transaction tx, UUID orderId) throws SQLException {
    Optional<OrderReturn> wish = sagas.latestOf(tx, orderId);
    return wish.isEmpty()
        ? Optional.empty()
        : Optional.of(ReturnView.of(wish.get(), sagas.ofReturn(tx, wish.get().id()).orElse(null)));
  }

  private static Response accepted(OrderReturn wish) {
    return Response.accepted(ReturnView.of(wish, null))
        .header(HttpHeaders.LOCATION, "/orders/" + wish.orderId() + "/return")
        .build();
  }

  private static HttpProblem notConfirmed(UUID id, OrderStatus status) {
    return OrderProblemPages.ORDER_NOT_CONFIRMED.because("Order %s is %s.".formatted(id, status));
  }

  private static HttpProblem underWay(UUID id, OrderReturn wish) {
    return OrderProblemPages.RETURN_UNDER_WAY.because(
        "Return %s of order %s is %s.".formatted(wish.id(), id, wish.status()));
  }
}
