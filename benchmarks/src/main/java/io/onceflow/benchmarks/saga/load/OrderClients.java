package io.onceflow.benchmarks.saga.load;

import io.onceflow.benchmarks.peers.OrderMix;
import io.onceflow.benchmarks.peers.PeerOrder;
import io.onceflow.quickstart.token.KeyFiles;
import io.onceflow.quickstart.token.Tokens;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientResponse;
import java.io.IOException;
import java.net.URI;
import java.security.PrivateKey;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Posts orders over connections that are kept, all on one event loop: the less it takes of the
 * machine, the more is left to what is measured. Tokens are signed beforehand and used again.
 */
public final class OrderClients extends LoadClients {

  /** Customers with separate orders and keys: so many that none exceeds its quota. */
  private static final int USERS = 256;

  private static final Duration TOKENS_VALID_FOR = Duration.ofHours(12);
  private static final int UUID_LENGTH = 36;

  private static final Buffer ORDER = order("GB");

  /** The simulated carrier refuses it, so its payment is refunded. */
  private static final Buffer REFUSED_ORDER = order(PeerOrder.REFUSED_COUNTRY);

  private final URI orders;
  private final OrderMix mix;
  private final List<String> authorizations;
  private long posted;
  private long refused;

  /**
   * Clients of the service at an address.
   *
   * @param orders scheme, host and port
   * @param keys sign the tokens
   * @param connections how many requests are on the wire at most; others wait
   */
  public OrderClients(URI orders, KeyFiles keys, int connections) throws IOException {
    this(orders, keys, connections, OrderMix.ALL_CONFIRMED);
  }

  /**
   * The same with a mix of orders.
   *
   * @param mix by the number of the request
   */
  public OrderClients(URI orders, KeyFiles keys, int connections, OrderMix mix) throws IOException {
    super(connections);
    this.orders = orders;
    this.mix = mix;
    authorizations = authorizations(keys.readPrivateKey());
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

  private static List<String> authorizations(PrivateKey key) {
    Instant now = Instant.now();
    return IntStream.range(0, USERS)
        .mapToObj(user -> Tokens.sign(key, "customer-" + user, Set.of(), now, TOKENS_VALID_FOR))
        .map(token -> "Bearer " + token)
        .toList();
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
                authorizations.get(client % USERS),
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
