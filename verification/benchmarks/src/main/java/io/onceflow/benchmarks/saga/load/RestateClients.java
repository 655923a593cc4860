package io.onceflow.benchmarks.saga.load;

import io.onceflow.benchmarks.peers.Ending;
import io.onceflow.benchmarks.peers.OrderMix;
import io.onceflow.benchmarks.peers.PeerOrder;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientResponse;
import java.net.URI;
import java.util.Map;

/** Calls a saga through Restate's ingress and waits for its end, which is the answer. */
public final class RestateClients extends LoadClients {

  private final URI ingress;
  private final String path;
  private final OrderMix mix;
  private long posted;
  private long compensated;

  /**
   * Clients of the ingress at an address.
   *
   * @param path of the handler
   * @param connections how many requests are on the wire at most
   */
  public RestateClients(URI ingress, String path, int connections, OrderMix mix) {
    super(connections);
    this.ingress = ingress;
    this.path = path;
    this.mix = mix;
  }

  /** How many orders were compensated so far. To be asked when no request is under way. */
  public long compensated() {
    return compensated;
  }

  @Override
  Future<Placed> post(int client, String key) {
    boolean isRefused = mix.isRefused(posted++);
    return post(
            ingress,
            path,
            Map.of("idempotency-key", key),
            Buffer.buffer(PeerOrder.of(key, isRefused).json()))
        .compose(response -> placed(response, isRefused));
  }

  private Future<Placed> placed(HttpClientResponse response, boolean isRefused) {
    Ending expected = isRefused ? Ending.CANCELLED : Ending.CONFIRMED;
    return response
        .body()
        .map(
            body -> {
              String ending = body.toString();
              boolean isRight =
                  response.statusCode() == 200 && ending.equals("\"" + expected + "\"");
              compensated += isRight && isRefused ? 1 : 0;
              return new Placed(
                  isRight ? Placed.CREATED : response.statusCode(), false, "", ending);
            });
  }
}
