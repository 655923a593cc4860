package io.onceflow.conformance;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.onceflow.conformance.EffectLedger.Operation;
import io.onceflow.conformance.SuiteStep.Act;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * The ledger by HTTP, for workers: {@code POST /<key of the saga>/<step>/do} and {@code …/undo},
 * with the header {@code Idempotency-Key}. 200 is done, 409 refused with the error's type as the
 * body, 503 unknown.
 */
public final class LedgerServer implements AutoCloseable {

  /** The type of the error that a participant refuses with. */
  public static final String REFUSAL = "out-of-stock";

  private final EffectLedger ledger;
  private final HttpServer server;
  private final ExecutorService threads = Executors.newCachedThreadPool();

  /** Starts it on a free port. */
  public LedgerServer(EffectLedger ledger) throws IOException {
    this.ledger = ledger;
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(threads);
    server.createContext("/", this::handle);
    server.start();
  }

  /** Where workers find it. */
  public URI url() {
    return URI.create("http://localhost:" + server.getAddress().getPort());
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      String[] path = exchange.getRequestURI().getPath().split("/");
      exchange.getRequestBody().readAllBytes();
      Operation operation =
          new Operation(
              path[1],
              SuiteStep.valueOf(path[2].toUpperCase(Locale.ROOT)),
              Act.valueOf(path[3].toUpperCase(Locale.ROOT)));
      String key = exchange.getRequestHeaders().getFirst("Idempotency-Key");
      int status = key == null ? 400 : ledger.request(operation, key);
      byte[] body = (status == 409 ? REFUSAL : "").getBytes(StandardCharsets.UTF_8);
      exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
      if (body.length > 0) {
        exchange.getResponseBody().write(body);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
