package io.onceflow.internal.startup;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.smallrye.config.SmallRyeConfig;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Answers on the management port for a service that cannot start: live, so that the orchestrator
 * does not restart it, and not ready, with the reason. It listens from the first reason on until it
 * is closed.
 */
final class StartupHealthServer implements AutoCloseable {

  private static final int OK = 200;
  private static final int UNAVAILABLE = 503;

  private final InetSocketAddress address;
  private volatile String reason = "";
  private @Nullable HttpServer server;

  private StartupHealthServer(InetSocketAddress address) {
    this.address = address;
  }

  static StartupHealthServer on(SmallRyeConfig config) {
    String host =
        config.getOptionalValue("quarkus.management.host", String.class).orElse("0.0.0.0");
    int port = config.getOptionalValue("quarkus.management.port", Integer.class).orElse(9000);
    return new StartupHealthServer(new InetSocketAddress(host, port));
  }

  /** Sets the reason; starts to listen with the first. */
  void because(String why) {
    reason = why;
    if (server != null) {
      return;
    }
    try {
      HttpServer listening = HttpServer.create(address, 0);
      listening.createContext("/q/health/live", exchange -> answer(exchange, OK, "UP", ""));
      listening.createContext(
          "/q/health", exchange -> answer(exchange, UNAVAILABLE, "DOWN", down()));
      listening.start();
      server = listening;
    } catch (IOException e) {
      // The port is in use. Quarkus will report it; without an answer the service is unready, too.
      server = null;
    }
  }

  private String down() {
    return """
    {"name":"database","status":"DOWN","data":{"refusal":"%s"}}\
    """
        .formatted(StartupLog.quoted(reason));
  }

  private static void answer(HttpExchange exchange, int status, String word, String check)
      throws IOException {
    byte[] body =
        """
        {"status":"%s","checks":[%s]}
        """
            .formatted(word, check)
            .getBytes(StandardCharsets.UTF_8);
    try (exchange) {
      exchange.getResponseHeaders().set("Content-Type", "application/json");
      exchange.sendResponseHeaders(status, body.length);
      exchange.getResponseBody().write(body);
    }
  }

  @Override
  public void close() {
    if (server != null) {
      server.stop(0);
    }
  }
}
