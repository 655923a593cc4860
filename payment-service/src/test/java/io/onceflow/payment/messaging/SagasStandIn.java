package io.onceflow.payment.messaging;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.quarkus.test.common.QuarkusTestResourceLifecycleManager;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** Shows sagas as the order service does, and remembers who asked for them. */
public final class SagasStandIn implements QuarkusTestResourceLifecycleManager {

  private final Map<String, Answer> answers = new ConcurrentHashMap<>();
  private final List<String> authorizations = new CopyOnWriteArrayList<>();
  private HttpServer server;

  private record Answer(int status, String body) {}

  @Override
  public Map<String, String> start() {
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    server.createContext("/sagas/", this::answer);
    server.start();
    return Map.of("onceflow.sagas.url", "http://localhost:" + server.getAddress().getPort());
  }

  @Override
  public void inject(TestInjector injector) {
    injector.injectIntoFields(this, new TestInjector.MatchesType(SagasStandIn.class));
  }

  @Override
  public void stop() {
    server.stop(0);
  }

  /** A saga, with its steps as JSON. */
  void show(String saga, String status, String reason, String... steps) {
    answers.put(
        saga,
        new Answer(
            200,
            """
            {"id": "%s", "definition": "place-order", "version": 1, "status": "%s",
             "reason": %s, "steps": [%s], "history": []}
            """
                .formatted(
                    saga,
                    status,
                    reason.isEmpty() ? "null" : "\"" + reason + "\"",
                    String.join(",", steps))));
  }

  void fail(String saga, int status) {
    answers.put(saga, new Answer(status, "{}"));
  }

  /** The headers by which this was asked, in their order. */
  List<String> authorizations() {
    return authorizations;
  }

  static String waiting(String step) {
    return step(step, "WAITING", "null");
  }

  static String compensating(String step, String compensation) {
    return step(
        step, "COMPENSATING", "{\"name\": \"%s\", \"attempts\": 1}".formatted(compensation));
  }

  static String step(String name, String status, String compensation) {
    return """
    {"name": "%s", "status": "%s", "attempts": 1, "compensation": %s}
    """
        .formatted(name, status, compensation);
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      authorizations.add(exchange.getRequestHeaders().getFirst("Authorization"));
      String saga = exchange.getRequestURI().getPath().substring("/sagas/".length());
      Answer answer = answers.getOrDefault(saga, new Answer(404, "{}"));
      byte[] body = answer.body().getBytes(StandardCharsets.UTF_8);
      exchange.sendResponseHeaders(answer.status(), body.length);
      exchange.getResponseBody().write(body);
    }
  }
}
