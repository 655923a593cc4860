package io.onceflow.launcher.testing;

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
import org.jspecify.annotations.Nullable;

/**
 * Shows sagas as the order service does, and remembers who asked for them. A service under
 * {@code @QuarkusTest} is told where it is, and the test finds it in its field of this type.
 */
public final class SagasStandIn implements QuarkusTestResourceLifecycleManager {

  private final Map<String, Answer> answers = new ConcurrentHashMap<>();
  private final List<String> authorizations = new CopyOnWriteArrayList<>();
  private @Nullable HttpServer server;

  private record Answer(int status, String body) {}

  @Override
  public Map<String, String> start() {
    HttpServer started;
    try {
      started = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    started.createContext("/sagas/", this::answer);
    started.start();
    server = started;
    return Map.of("onceflow.sagas.url", "http://localhost:" + started.getAddress().getPort());
  }

  @Override
  public void inject(TestInjector injector) {
    injector.injectIntoFields(this, new TestInjector.MatchesType(SagasStandIn.class));
  }

  @Override
  public void stop() {
    if (server != null) {
      server.stop(0);
    }
  }

  /**
   * Shows a saga from now on.
   *
   * @param reason why it is undone; empty for none
   * @param steps as JSON
   */
  public void show(String saga, String status, String reason, String... steps) {
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

  /** Answers with this status, and with no saga, from now on. */
  public void fail(String saga, int status) {
    answers.put(saga, new Answer(status, "{}"));
  }

  /** The headers by which this was asked, in their order. */
  public List<String> authorizations() {
    return authorizations;
  }

  /** A step whose command was sent. */
  public static String waiting(String step) {
    return step(step, "WAITING", "null");
  }

  /** A step whose compensation was sent. */
  public static String compensating(String step, String compensation) {
    return step(
        step, "COMPENSATING", "{\"name\": \"%s\", \"attempts\": 1}".formatted(compensation));
  }

  /**
   * A step.
   *
   * @param compensation as JSON
   */
  public static String step(String name, String status, String compensation) {
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
