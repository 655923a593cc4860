package io.onceflow.saga.trip;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.quarkus.test.common.QuarkusTestResourceLifecycleManager;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.Map;

/**
 * Other services: one that tells of ada's steps what they are in {@link TimelineTest}, one that
 * never answers, and one of an older release.
 */
public class FakeParticipants implements QuarkusTestResourceLifecycleManager {

  private static final String KNOWN =
      """
      {"steps": [{"step": "reserve-flight", "progress": "answered",
                  "arrivedAt": "2026-11-23T12:00:00.100Z", "begunAt": "2026-11-23T12:00:00.200Z",
                  "answeredAt": "2026-11-23T12:00:00.300Z", "dueAt": null,
                  "attempts": 3, "outcome": "done", "ofANewerRelease": true}]}
      """;

  private HttpServer server;
  private ServerSocket silent;

  @Override
  public Map<String, String> start() {
    try {
      InetAddress here = InetAddress.getLoopbackAddress();
      server = HttpServer.create(new InetSocketAddress(here, 0), 0);
      server.createContext("/participant/steps", FakeParticipants::answer);
      server.start();
      silent = new ServerSocket(0, 50, here);
      String url = "http://localhost:" + server.getAddress().getPort();
      return Map.of(
          "onceflow.services.flight-service", url,
          "onceflow.services.hotel-service", url + "/older",
          "onceflow.services.card-service", "http://localhost:" + silent.getLocalPort());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void answer(HttpExchange exchange) throws IOException {
    String question = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
    String token = String.valueOf(exchange.getRequestHeaders().getFirst("Authorization"));
    if (!token.startsWith("Bearer ey") || !exchange.getRequestMethod().equals("POST")) {
      send(exchange, 401, "{}");
    } else if (question.contains("\"scope\":\"ada\"")
        && question.contains("\"origin\":\"trips/book-trip\"")
        && question.contains("\"steps\":[\"reserve-flight\"]")) {
      send(exchange, 200, KNOWN);
    } else {
      send(exchange, 200, "{\"steps\": []}");
    }
  }

  private static void send(HttpExchange exchange, int status, String body) throws IOException {
    byte[] bytes = body.getBytes(UTF_8);
    exchange.getResponseHeaders().set("Content-Type", "application/json");
    exchange.sendResponseHeaders(status, bytes.length);
    exchange.getResponseBody().write(bytes);
    exchange.close();
  }

  @Override
  public void stop() {
    if (server != null) {
      server.stop(0);
    }
    try {
      if (silent != null) {
        silent.close();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
