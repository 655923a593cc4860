package io.onceflow.benchmarks.saga.load;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.PoolOptions;
import java.net.URI;
import java.util.Map;

/** Clients over connections that are kept, all on one event loop. */
public abstract class LoadClients implements AutoCloseable {

  /** No request may take this long; one that does counts as a wrong answer. */
  private static final long TIMEOUT_MS = 60_000;

  private final Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1));
  private final HttpClient http;

  LoadClients(int connections) {
    http =
        vertx.createHttpClient(
            new HttpClientOptions().setTcpNoDelay(true),
            new PoolOptions().setHttp1MaxSize(connections));
  }

  /** Runs on the event loop, where every callback of {@link #post} runs too: no two at once. */
  final void onEventLoop(Runnable action) {
    vertx.runOnContext(ignored -> action.run());
  }

  /**
   * Starts a saga; fails only when there is no answer at all.
   *
   * @param client which of them
   * @param key its idempotency key
   */
  abstract Future<Placed> post(int client, String key);

  final Future<HttpClientResponse> post(
      URI server, String path, Map<String, String> headers, Buffer json) {
    return http.request(HttpMethod.POST, server.getPort(), server.getHost(), path)
        .compose(
            request -> {
              headers.forEach(request::putHeader);
              return request
                  .idleTimeout(TIMEOUT_MS)
                  .putHeader("Content-Type", "application/json")
                  .send(json);
            });
  }

  @Override
  public final void close() {
    vertx.close().toCompletionStage().toCompletableFuture().join();
  }
}
