package io.onceflow.benchmarks.saga.load;

import io.onceflow.benchmarks.peers.OrderMix;
import io.onceflow.benchmarks.peers.PeerOrder;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientResponse;
import java.net.URI;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Posts orders over connections that are kept, all on one event loop: the less it takes of the
 * machine, the more is left to what is measured. Tokens are signed beforehand and used again.
 */
public final class OrderClients extends LoadClients {

  private static final int UUID_LENGTH = 36;

  private static final Buffer ORDER = order("GB");

  /** The simulated carrier refuses it, so its payment is refunded. */
  private static final Buffer REFUSED_ORDER = order(PeerOrder.REFUSED_COUNTRY);

  private final URI orders;
  private final OrderMix mix;
  private final Callers callers;
  private long posted;
  private long refused;

  /**
   * Clients of the service at an address.
   *
   * @param orders scheme, host and port
   * @param callers whose orders they are, client by client
   * @param connections how many requests are on the wire at most; others wait
   */
  public OrderClients(URI orders, Callers callers, int connections) {
    this(orders, callers, connections, OrderMix.ALL_CONFIRMED);
  }

  /**
   * The same with a mix of orders.
   *
   * @param mix by the number of the request
   */
  public OrderClients(URI orders, Callers callers, int connections, OrderMix mix) {
    super(connections);
    this.orders = orders;
    this.mix = mix;
    this.callers = callers;
  }

  private static Buffer order(String country) {
    return Buffer.buffer(
        """
        {"currency":"EUR","items":[{"sku":"BOOK-42","quantity":2,"unitAmount":1250}],\
        "paymentMethod":"pm_card_visa","shippingAddress":{"name":"Ada Lovelace",\
        "line1":"12 St James's Square","city":"London","postalCode":"SW1Y 4JH","country":"%s"}}
        """
            .formatted(country));
  }

  /** How many orders had to be refused so far. To be asked when no request is under way. */
  public long refused() {
    return refused;
  }

  /**
   * Places an order.
   *
   * @param client decides whose order it is
   */
  @Override
  Future<Placed> post(int client, String key) {
    boolean isRefused = mix.isRefused(posted++);
    refused += isRefused ? 1 : 0;
    return post(
            orders,
            "/orders",
            Map.of(
                "Authorization",
                callers.authorization(client),
                "Idempotency-Key",
                "\"" + key + "\""),
            isRefused ? REFUSED_ORDER : ORDER)
        .compose(OrderClients::placed);
  }

  private static Future<Placed> placed(HttpClientResponse response) {
    int status = response.statusCode();
    boolean isReplayed = "true".equals(response.getHeader("Idempotent-Replayed"));
    String order = orderIn(response.getHeader("Location"));
    return response
        .body()
        .map(body -> new Placed(status, isReplayed, order, status == 201 ? "" : body.toString()));
  }

  /** {@code …/orders/{id}} */
  private static String orderIn(@Nullable String location) {
    return location == null || location.length() < UUID_LENGTH
        ? ""
        : location.substring(location.length() - UUID_LENGTH);
  }
}
