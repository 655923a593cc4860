package io.onceflow.benchmarks.saga.load;

import io.onceflow.quickstart.token.KeyFiles;
import io.onceflow.quickstart.token.Tokens;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.PoolOptions;
import java.io.IOException;
import java.net.URI;
import java.security.PrivateKey;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Posts orders over connections that are kept, all on one event loop: the less it takes of the
 * machine, the more is left to what is measured. Tokens are signed beforehand and used again.
 */
public final class OrderClients implements AutoCloseable {

  /** Customers with separate orders and keys: so many that none exceeds its quota. */
  private static final int USERS = 256;

  /** No request may take this long; one that does counts as a wrong answer. */
  private static final long TIMEOUT_MS = 60_000;

  private static final Duration TOKENS_VALID_FOR = Duration.ofHours(12);
  private static final int UUID_LENGTH = 36;

  private static final Buffer ORDER =
      Buffer.buffer(
          """
          {"currency":"EUR","items":[{"sku":"BOOK-42","quantity":2,"unitAmount":1250}],\
          "paymentMethod":"pm_card_visa","shippingAddress":{"name":"Ada Lovelace",\
          "line1":"12 St James's Square","city":"London","postalCode":"SW1Y 4JH","country":"GB"}}
          """);

  private final Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1));
  private final HttpClient http;
  private final URI orders;
  private final List<String> authorizations;

  /**
   * Clients of the service at an address.
   *
   * @param orders scheme, host and port
   * @param keys sign the tokens
   * @param connections how many requests are on the wire at most; others wait
   */
  public OrderClients(URI orders, KeyFiles keys, int connections) throws IOException {
    this.orders = orders;
    authorizations = authorizations(keys.readPrivateKey());
    http =
        vertx.createHttpClient(
            new HttpClientOptions().setTcpNoDelay(true),
            new PoolOptions().setHttp1MaxSize(connections));
  }

  private static List<String> authorizations(PrivateKey key) {
    Instant now = Instant.now();
    return IntStream.range(0, USERS)
        .mapToObj(user -> Tokens.sign(key, "customer-" + user, Set.of(), now, TOKENS_VALID_FOR))
        .map(token -> "Bearer " + token)
        .toList();
  }

  /** Runs on the event loop, where every callback of {@link #post} runs too: no two at once. */
  void onEventLoop(Runnable action) {
    vertx.runOnContext(ignored -> action.run());
  }

  /**
   * Places an order; fails only when there is no answer at all.
   *
   * @param client decides whose order it is
   * @param key for {@code Idempotency-Key}, without quotes
   */
  Future<Placed> post(int client, String key) {
    return http.request(HttpMethod.POST, orders.getPort(), orders.getHost(), "/orders")
        .compose(
            request ->
                request
                    .idleTimeout(TIMEOUT_MS)
                    .putHeader("Authorization", authorizations.get(client % USERS))
                    .putHeader("Content-Type", "application/json")
                    .putHeader("Idempotency-Key", "\"" + key + "\"")
                    .send(ORDER))
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

  @Override
  public void close() {
    vertx.close().toCompletionStage().toCompletableFuture().join();
  }
}
