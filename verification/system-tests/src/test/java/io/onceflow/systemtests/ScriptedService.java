package io.onceflow.systemtests;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What a tab of the console finds in the place of a service: the console's files, and for each
 * other request the answer that the test gives, when the test gives it. So it can be shown what the
 * page does while a service is slow, and once it fails.
 */
final class ScriptedService {

  static final String URL = "http://console.test";

  private static final String FILES = "/META-INF/onceflow-console/";
  private static final String CONSOLE = "/console/";
  private static final String INDEX = "index.html";

  private static final Map<String, String> TYPES =
      Map.of(
          "html", "text/html", "js", "text/javascript", "css", "text/css", "svg", "image/svg+xml");

  private static final String OPERATOR =
      """
      {"signedIn": true, "name": "olga", "roles": ["operator"], "csrf": null, "method": "bearer",
       "signInUrl": null, "signOutUrl": null}
      """;

  /** Nothing runs and nothing needs attention. */
  private static final String QUIET =
      """
      {"at": "2026-11-23T16:40:12Z", "open": 0, "running": 0, "compensating": 0, "stuck": 0,
       "quarantined": 0, "held": 0, "overdue": 0, "parked": 0,
       "since": {"stuck": null, "quarantined": null, "held": null, "overdue": null},
       "outbox": {"messages": 0, "oldestAgeMs": 0}, "startedPerSecond": 0, "endedPerSecond": 0,
       "p50Ms": null, "p95Ms": null, "p99Ms": null, "steps": [], "awaited": []}
      """;

  private final Page page;
  private final Map<String, Consumer<Route>> scripts = new HashMap<>();

  private ScriptedService(Page page) {
    this.page = page;
  }

  /** Answers the requests of a tab from now on; its user is an operator. */
  static ScriptedService of(Console tab) {
    ScriptedService service = new ScriptedService(tab.page());
    tab.page().route(URL + "/**", service::serve);
    service.answers("GET /console/session", OPERATOR);
    service.answers("GET /sagas/overview", QUIET);
    service.answers("GET /sagas/services", "[]");
    service.answers("GET /operator-audit", "{\"entries\": []}");
    service.answers("GET /sagas/definitions", "[]");
    service.answers("GET /sagas/replicas", "[]");
    service.answers("GET /sagas/repairs", "{\"repairs\": []}");
    for (String at :
        List.of("", "/sagas/services/order-service", "/sagas/services/payment-service")) {
      service.answers("GET " + at + "/parked-messages/jobs", "[]");
    }
    return service;
  }

  /** Has a request, such as {@code GET /sagas} with any query, answered by JSON. */
  void answers(String request, String json) {
    scripts.put(request, route -> fulfill(route, 200, "application/json", json.getBytes(UTF_8)));
  }

  /** Has a request answered by a problem. */
  void refuses(String request, int status, String title) {
    String problem = "{\"title\": \"%s\", \"status\": %d}".formatted(title, status);
    scripts.put(
        request,
        route -> fulfill(route, status, "application/problem+json", problem.getBytes(UTF_8)));
  }

  /** Lets a request wait for its answer. */
  Held holds(String request) {
    Held held = new Held();
    scripts.put(request, held.routes::add);
    return held;
  }

  /** Requests that wait for their answers. */
  final class Held {

    private final Deque<Route> routes = new ArrayDeque<>();

    /** Returns once one has come. */
    void await() {
      page.waitForCondition(() -> !routes.isEmpty());
    }

    int number() {
      return routes.size();
    }

    /** Answers the first of them. */
    void answer(String json) {
      fulfill(routes.remove(), 200, "application/json", json.getBytes(UTF_8));
    }
  }

  /** Answers a request, now or later. */
  void serve(Route route) {
    URI address = URI.create(route.request().url());
    String asked = route.request().method() + " " + address.getPath();
    Consumer<Route> script = scripts.get(asked);
    if (script != null) {
      script.accept(route);
    } else if (address.getPath().startsWith(CONSOLE)) {
      file(route, address.getPath().substring(CONSOLE.length()));
    } else {
      throw new IllegalStateException("This test says nothing of " + asked);
    }
  }

  /** The address of a view is answered by the page. */
  private static void file(Route route, String path) {
    byte[] found = bytes(path);
    String name = found == null ? INDEX : path;
    byte[] body = found == null ? Objects.requireNonNull(bytes(INDEX)) : found;
    fulfill(route, 200, TYPES.get(name.substring(name.lastIndexOf('.') + 1)), body);
  }

  private static byte @Nullable [] bytes(String path) {
    if (!path.contains(".")) {
      return null;
    }
    try (InputStream file = ScriptedService.class.getResourceAsStream(FILES + path)) {
      return file == null ? null : file.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void fulfill(Route route, int status, @Nullable String type, byte[] body) {
    route.fulfill(
        new Route.FulfillOptions().setStatus(status).setContentType(type).setBodyBytes(body));
  }
}
