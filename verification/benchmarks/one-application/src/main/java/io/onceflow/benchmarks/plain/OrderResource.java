package io.onceflow.benchmarks.plain;

import io.onceflow.core.ScopeResolver;
import io.onceflow.idempotency.Idempotent;
import io.onceflow.saga.Sagas;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.transaction.Transactional;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.Response;
import java.net.URI;
import java.util.List;

/** Takes the requests that the benchmark sends to the order service. */
@Path("/orders")
public class OrderResource {

  private final Sagas sagas;

  OrderResource(Sagas sagas) {
    this.sagas = sagas;
  }

  public record Item(String sku, int quantity, long unitAmount) {}

  public record Address(
      String name, String line1, String city, String postalCode, String country) {}

  public record Request(
      String currency, List<Item> items, String paymentMethod, Address shippingAddress) {}

  @POST
  @Idempotent
  @Transactional
  public Response place(Request request) {
    PlacedOrder order = new PlacedOrder();
    order.amount =
        request.items().stream().mapToLong(item -> item.quantity() * item.unitAmount()).sum();
    order.method = request.paymentMethod();
    order.country = request.shippingAddress().country();
    order.persist();
    sagas.start(PlaceOrder.class, order);
    return Response.created(URI.create("/orders/" + order.id)).entity(order).build();
  }

  /** Without users, all callers share one scope of keys. */
  @ApplicationScoped
  static class SharedScope implements ScopeResolver {
    @Override
    public String scope() {
      return "shared";
    }
  }
}
