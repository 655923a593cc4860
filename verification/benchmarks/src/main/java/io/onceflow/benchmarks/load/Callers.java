package io.onceflow.benchmarks.load;

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
import java.util.List;

/**
 * Clients that keep their connections, all on one event loop: the less they take of the machine,
 * the more is left to what is measured.
 */
public final class Callers implements AutoCloseable {

  /** No request may take this long; one that does counts as a wrong answer. */
  private static final long TIMEOUT_MS = 30_000;

  private final Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1));
  private final HttpClient http;
  private final List<URI> replicas;
  private final int clients;

  /**
   * Clients that spread evenly over the replicas, each at one of them for good.
   *
   * @param replicas where the application's processes listen
   * @param clients how many requests are in flight at most
   */
  public Callers(List<URI> replicas, int clients) {
    this.replicas = replicas;
    this.clients = clients;
    http =
        vertx.createHttpClient(
            new HttpClientOptions().setTcpNoDelay(true),
            new PoolOptions().setHttp1MaxSize(clients));
  }

  int clients() {
    return clients;
  }

  /** Runs on the event loop, where every callback of {@link #post} runs too: no two at once. */
  void onEventLoop(Runnable action) {
    vertx.runOnContext(ignored -> action.run());
  }

  /** Sends a note; fails only when there is no answer at all. */
  Future<CallResponse> post(int client, String path, String key) {
    URI replica = replicas.get(client % replicas.size());
    Buffer body = Buffer.buffer("{\"subject\":\"" + key + "\"}");
    long sentAt = System.nanoTime();
    return http.request(HttpMethod.POST, replica.getPort(), replica.getHost(), path)
        .compose(
            request ->
                request
                    .idleTimeout(TIMEOUT_MS)
                    .putHeader("Content-Type", "application/json")
                    .putHeader("Idempotency-Key", "\"" + key + "\"")
                    .send(body))
        .compose(response -> answer(response, sentAt));
  }

  private static Future<CallResponse> answer(HttpClientResponse response, long sentAt) {
    boolean isReplayed = "true".equals(response.getHeader("Idempotent-Replayed"));
    return response
        .body()
        .map(
            body ->
                new CallResponse(
                    response.statusCode(),
                    isReplayed,
                    body.toString(),
                    System.nanoTime() - sentAt));
  }

  @Override
  public void close() {
    vertx.close().toCompletionStage().toCompletableFuture().join();
  }
}
