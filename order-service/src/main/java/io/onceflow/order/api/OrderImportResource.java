package io.onceflow.order.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import io.onceflow.idempotency.GuardedRequest;
import io.onceflow.idempotency.Idempotent;
import io.onceflow.idempotency.Idempotent.Mode;
import io.onceflow.idempotency.Lease;
import io.onceflow.order.imports.OrderImport;
import io.onceflow.order.imports.OrderImports;
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
import jakarta.ws.rs.NotFoundException;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.eclipse.microprofile.jwt.JsonWebToken;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jspecify.annotations.Nullable;

/** Orders that come many at once, each customer's own. */
@Path(OrderImportResource.PATH)
@Authenticated
@Tag(name = "Order imports")
@Produces(MediaType.APPLICATION_JSON)
public class OrderImportResource {

  /**
   * A page of imports, newest first, without their orders.
   *
   * @param next cursor of the next page; absent on the last
   */
  @JsonInclude(Include.NON_NULL)
  record OrderImportPage(List<OrderImport> imports, @Nullable String next) {}

  static final String PATH = "/order-imports";
  private static final int LARGEST_PAGE = 100;

  private final OrderImports imports;
  private final GuardedRequest guarded;
  private final JsonWebToken caller;

  OrderImportResource(OrderImports imports, GuardedRequest guarded, JsonWebToken caller) {
    this.imports = imports;
    this.guarded = guarded;
    this.caller = caller;
  }

  /**
   * Stores the orders and places them in the background. The lease is the configured one: heartbeat
   * and batches are far quicker than any that makes sense.
   */
  @POST
  @Idempotent(operation = OrderImports.OPERATION, mode = Mode.LEASED)
  @Consumes(MediaType.APPLICATION_JSON)
  @Operation(
      summary = "Place many orders",
      description =
          "Takes 1 to 1000 orders and places all of them, each once, also when the service stops meanwhile."
              + " Answers 202 at once. The answer that stays is 201 with the import and the ids of"
              + " its orders: found where the Location of the 202 says, or by repeating the"
              + " request.")
  @APIResponse(responseCode = "201", description = "All orders are placed (on a repeat)")
  @APIResponse(
      responseCode = "429",
      description = "`quota-exceeded`: too many running imports, or too many orders at a time")
  @APIResponse(responseCode = "202", description = "The orders are stored and are being placed")
  public Response begin(
      @NotNull(message = "is missing") @Valid OrderImportRequest request,
      @HeaderParam("traceparent") @Nullable String traceparent)
      throws Exception {
    int orders = request.orders().size();
    Optional<Response> over = imports.overQuota(caller.getSubject(), orders, PATH);
    if (over.isPresent()) {
      return over.get();
    }
    Lease lease = guarded.lease();
    UUID id = imports.begin(lease, request.drafts(), Sagas.traceparent(traceparent));
    return lease.goOnInBackground(own -> imports.run(own, id));
  }

  /** How far one has come. */
  @GET
  @Path("/{id}")
  @Operation(summary = "Read an import: how far it has come, and its orders")
  public OrderImport read(@PathParam("id") UUID id) throws SQLException {
    return imports
        .own(caller.getSubject(), id)
        .orElseThrow(() -> new NotFoundException("There is no import " + id + " of yours."));
  }

  /** Own imports, newest first. */
  @GET
  @Operation(summary = "List own imports, newest first, without their orders")
  public OrderImportPage list(
      @QueryParam("limit") @DefaultValue("20") @Min(1) @Max(LARGEST_PAGE) int limit,
      @QueryParam("cursor") @Nullable UUID cursor)
      throws SQLException {
    // One more than asked for tells whether there is a next page.
    List<OrderImport> found = imports.newest(caller.getSubject(), cursor, limit + 1);
    Slice<OrderImport> page = Slice.of(found, limit, OrderImport::id);
    return new OrderImportPage(page.items(), page.next());
  }
}
