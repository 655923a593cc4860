package io.onceflow.conformance;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Executors;

/** Both ends of a worker for the JVM: the suite's requests, and its own to the ledger. */
public final class WorkerServer {

  private static final HttpClient HTTP = HttpClient.newHttpClient();

  private WorkerServer() {}

  /** Serves the suite on the port of the environment until the process is killed. */
  public static void serve(SagaWorker worker) throws IOException {
    int port = Integer.parseInt(System.getenv("PORT"));
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
    server.setExecutor(Executors.newCachedThreadPool());
    server.createContext("/", exchange -> handle(exchange, worker));
    server.start();
  }

  /**
   * A participant's work on a step.
   *
   * @param act {@code do} or {@code undo}
   * @return the type of the error that it was refused with; empty if it is done
   * @throws IOException if it is unknown whether it is done
   */
  public static String request(String saga, String step, String act)
      throws IOException, InterruptedException {
    URI ledger = URI.create(System.getenv("LEDGER_URL"));
    HttpResponse<String> response =
        HTTP.send(
            HttpRequest.newBuilder(ledger.resolve("/%s/%s/%s".formatted(saga, step, act)))
                .header("Idempotency-Key", saga + ":" + step + ":" + act)
                .POST(BodyPublishers.noBody())
                .build(),
            BodyHandlers.ofString());
    return switch (response.statusCode()) {
      case 200 -> "";
      case 409 -> response.body();
      default -> throw new IOException("answered " + response.statusCode());
    };
  }

  private static void handle(HttpExchange exchange, SagaWorker worker) throws IOException {
    try (exchange) {
      int status = 200;
      String body;
      try {
        body = answer(exchange, worker);
      } catch (NotProvided e) {
        status = 501;
        body = e.getMessage();
      } catch (Exception e) {
        e.printStackTrace();
        status = 500;
        body = e.toString();
      }
      byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
      exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
      if (bytes.length > 0) {
        exchange.getResponseBody().write(bytes);
      }
    }
  }

  private static String answer(HttpExchange exchange, SagaWorker worker) throws Exception {
    String[] path = exchange.getRequestURI().getPath().split("/");
    if (path.length < 3) {
      return "ready";
    }
    String key = path[2];
    if (path.length == 3) {
      return exchange.getRequestMethod().equals("GET")
          ? worker.read(key)
          : worker.start(key, "waits=true".equals(exchange.getRequestURI().getQuery()));
    }
    switch (path[3]) {
      case "cancel" -> {
        return worker.cancel(key) ? "ACCEPTED" : "TOO_LATE";
      }
      case "messages" -> worker.send(key, path[4]);
      case "repair" -> worker.repair(key);
      default -> throw NotProvided.notCovered("no " + path[3]);
    }
    return "";
  }
}
