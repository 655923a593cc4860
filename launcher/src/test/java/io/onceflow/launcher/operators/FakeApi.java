package io.onceflow.launcher.operators;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CopyOnWriteArrayList;

/** Answers requests as it was told, each path's answers one after the other, and keeps them. */
final class FakeApi implements AutoCloseable {

  /** A request as it came. */
  record Asked(String line, String authorization, String key, JsonNode body) {}

  private record Answer(int status, String body) {}

  private static final ObjectMapper JSON = new ObjectMapper();

  private final HttpServer server;
  private final Map<String, Queue<Answer>> answers = new HashMap<>();
  private final List<Asked> asked = new CopyOnWriteArrayList<>();

  FakeApi() {
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    server.createContext("/", this::handle);
    server.start();
  }

  /** The next answer to a request such as {@code GET /sagas}; the last one is given ever after. */
  FakeApi answer(String request, int status, String body) {
    answers.computeIfAbsent(request, it -> new ArrayDeque<>()).add(new Answer(status, body));
    return this;
  }

  String url() {
    return "http://localhost:" + server.getAddress().getPort();
  }

  List<Asked> asked() {
    return asked;
  }

  @Override
  public void close() {
    server.stop(0);
  }

  private void handle(HttpExchange exchange) throws IOException {
    String method = exchange.getRequestMethod() + " ";
    asked.add(
        new Asked(
            method + exchange.getRequestURI(),
            exchange.getRequestHeaders().getFirst("Authorization"),
            exchange.getRequestHeaders().getFirst("Idempotency-Key"),
            JSON.readTree(exchange.getRequestBody())));
    Queue<Answer> queue = answers.get(method + exchange.getRequestURI().getPath());
    Answer answer =
        queue == null
            ? new Answer(404, "{\"title\": \"Not Found\"}")
            : queue.size() > 1 ? queue.remove() : queue.element();
    byte[] bytes = answer.body().getBytes(StandardCharsets.UTF_8);
    boolean empty = answer.status() == 204;
    exchange.sendResponseHeaders(answer.status(), empty ? -1 : bytes.length);
    try (var out = exchange.getResponseBody()) {
      if (!empty) {
        out.write(bytes);
      }
    }
  }
}
