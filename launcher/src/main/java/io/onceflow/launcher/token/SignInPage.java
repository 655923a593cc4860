package io.onceflow.launcher.token;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.PrivateKey;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Set;

/**
 * A page with two links that lead to the console, signed in as an operator or as a viewer: for a
 * stack that is being tried out on one machine. Everyone who reaches the page may do everything.
 */
public final class SignInPage implements AutoCloseable {

  private static final Duration VALID_FOR = Duration.ofHours(12);
  private static final Set<String> THIS_MACHINE = Set.of("localhost", "127.0.0.1", "[::1]");

  /** Who is signed in by which path. */
  private static final Map<String, Set<String>> ROLES =
      Map.of("/operator", Set.of(Tokens.OPERATOR), "/viewer", Set.of(Tokens.VIEWER));

  private static final String PAGE =
      """
      <!doctype html>
      <html lang="en">
      <meta charset="utf-8">
      <title>Onceflow</title>
      <h1>Onceflow's console</h1>
      <p>This page is for trying out: whoever opens it is signed in.</p>
      <ul>
        <li><a href="/operator">as an operator</a>, who may do everything</li>
        <li><a href="/viewer">as a viewer</a>, who sees no personal data and may not act</li>
      </ul>
      """;

  private final PrivateKey key;
  private final URI service;
  private final HttpServer server;

  /**
   * Serves the page until it is closed.
   *
   * @param key signs the tokens
   * @param service the address of the service with the console, as a browser knows it
   */
  public SignInPage(PrivateKey key, URI service, InetSocketAddress address) throws IOException {
    this.key = key;
    this.service = service;
    this.server = HttpServer.create(address, 0);
    server.createContext("/", this::answer);
    server.start();
  }

  /** The port on which it listens. */
  public int port() {
    return server.getAddress().getPort();
  }

  /** Another site cannot read where a link leads, unless it has its own name mean this machine. */
  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      String path = exchange.getRequestURI().getPath();
      exchange.getResponseHeaders().set("Cache-Control", "no-store");
      exchange.getResponseHeaders().set("Referrer-Policy", "no-referrer");
      exchange.getResponseHeaders().set("X-Frame-Options", "DENY");
      if (!isMeant(exchange)) {
        exchange.sendResponseHeaders(421, -1);
      } else if (ROLES.containsKey(path)) {
        exchange.getResponseHeaders().set("Location", console(path));
        exchange.sendResponseHeaders(303, -1);
      } else if (path.equals("/")) {
        send(exchange);
      } else {
        exchange.sendResponseHeaders(404, -1);
      }
    }
  }

  private static boolean isMeant(HttpExchange exchange) {
    String host = exchange.getRequestHeaders().getFirst("Host");
    return host != null && THIS_MACHINE.contains(host.replaceAll(":\\d+$", ""));
  }

  private String console(String path) {
    String user = path.substring(1);
    String token = Tokens.sign(key, user, ROLES.get(path), Instant.now(), VALID_FOR);
    return service.resolve("/console/sign-in#token=" + token).toString();
  }

  private static void send(HttpExchange exchange) throws IOException {
    byte[] page = PAGE.getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("Content-Type", "text/html; charset=utf-8");
    exchange.sendResponseHeaders(200, page.length);
    exchange.getResponseBody().write(page);
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
