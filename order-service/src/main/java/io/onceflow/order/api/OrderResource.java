package io.onceflow.order.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import io.onceflow.idempotency.GuardedRequest;
import io.onceflow.idempotency.GuardedRequest.SharedWrite;
import io.onceflow.idempotency.Idempotent;
import io.onceflow.idempotency.LargeAnswer;
import io.onceflow.order.domain.Order;
import io.onceflow.order.saga.OrderSagas;
import io.onceflow.order.saga.OrderSagas.NewOrder;
import io.onceflow.outbox.OutboxMessage;
import io.onceflow.outbox.Transactions;
import io.onceflow.saga.SagaView;
import io.onceflow.saga.Sagas;
import io.quarkus.security.Authenticated;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotNull;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DefaultValue;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.HeaderParam;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.sql.SQLException;
import java.time.Clock;
import java.util.List;
import java.util.UUID;
import org.eclipse.microprofile.jwt.JsonWebToken;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jspecify.annotations.Nullable;

/** Orders and their sagas, each customer's own. */
@Path("/orders")
@Authenticated
@Tag(name = "Orders")
@Produces(MediaType.APPLICATION_JSON)
public class OrderResource {

  /**
   * A page of orders, newest first.
   *
   * @param next cursor of the next page; absent on the last
   */
  @JsonInclude(Include.NON_NULL)
  record OrderPage(List<OrderView> orders, @Nullable String next) {}

  /** As many as a page of a list needs, and few enough to be read in one go. */
  private static final int LARGEST_PAGE = 100;

  private final OrderSagas sagas;
  private final OrderReads orders;
  private final Transactions transactions;
  private final GuardedRequest guarded;
  private final JsonWebToken caller;
  private final Clock clock;
  private final SharedWrite<NewOrder> placing = this::place;

  OrderResource(
      OrderSagas sagas,
      OrderReads orders,
      Transactions transactions,
      GuardedRequest guarded,
      JsonWebToken caller,
      Clock clock) {
    this.sagas = sagas;
    this.orders = orders;
    this.transactions = transactions;
    this.guarded = guarded;
    this.caller = caller;
    this.clock = clock;
  }

  /** Places an order; its saga takes it from here. */
  @POST
  @Idempotent(mode = Idempotent.Mode.SHARED)
  @Consumes(MediaType.APPLICATION_JSON)
  @Operation(summary = "Place an order")
  @APIResponse(responseCode = "201", description = "Placed, and pending until its saga has ended")
  public Response place(
      @NotNull(message = "is missing") @Valid PlaceOrderRequest request,
      @HeaderParam("traceparent") @Nullable String traceparent) {
    Order order =
        request.draft().place(OutboxMessage.newId(), caller.getSubject(), clock.instant());
    guarded.write(placing, new NewOrder(order, guarded.key(), Sagas.traceparent(traceparent)));
    return Response.status(Response.Status.CREATED)
        .header(HttpHeaders.LOCATION, "/orders/" + order.id())
        .entity(OrderView.of(order))
        .build();
  }

  /** Writes what was placed at the same time. */
  private void place(List<NewOrder> placed) throws SQLException {
    transactions.join(tx -> sagas.place(tx, placed));
  }

  /** One order. */
  @GET
  @Path("/{id}")
  @Operation(summary = "Read an order")
  public OrderView read(@PathParam("id") UUID id) {
    return orders.require(caller.getSubject(), id).view();
  }

  /** Own orders, newest first. */
  @GET
  @LargeAnswer
  @Operation(
      summary = "List own orders, newest first",
      description =
          "A page has fewer orders than asked for where they are large: only one without `next`"
              + " is the last.")
  public OrderPage list(
      @QueryParam("limit") @DefaultValue("20") @Min(1) @Max(LARGEST_PAGE) int limit,
      @QueryParam("cursor") @Nullable UUID cursor) {
    Slice<OrderView> page =
        orders.newest(caller.getSubject(), cursor, limit, LargeAnswer.MOST_BYTES);
    return new OrderPage(page.items(), page.next());
  }

  /** How an order is coming about: its saga's steps and history. */
  @GET
  @Path("/{id}/saga")
  @Operation(summary = "Read the saga of an order")
  @APIResponse(responseCode = "200", description = "The saga")
  @APIResponse(
      responseCode = "404",
      description =
          "There is no such order of the caller's, or its saga has ended and was deleted after its"
              + " retention")
  public SagaView saga(@PathParam("id") UUID id) throws SQLException {
    OrderEntity order = orders.require(caller.getSubject(), id);
    return transactions
        .call(tx -> sagas.ofOrder(tx, id))
        .orElseThrow(() -> OrderReads.sagaDeleted(order));
  }

  /**
   * Cancels the caller's own order. If the reply that confirms the order arrives at the same time,
   * the transaction that locks the saga's row first decides; the answer is that of the commit. An
   * order whose saga was deleted after its retention answers by its status.
   */
  @POST
  @Path("/{id}/cancellation")
  @Idempotent
  @Operation(
      summary = "Cancel an order",
      description =
          "Has no body. A step in progress is waited for, and compensated once its outcome is"
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
        transactions.join(tx -> sagas.cancel(tx, id, customer)).or(order::cancelOutcome),
        () ->
            OrderProblemPages.TOO_LATE.because(
                "Order %s has been confirmed: it is paid, and its shipment is arranged."
                    .formatted(id)));
  }
}
