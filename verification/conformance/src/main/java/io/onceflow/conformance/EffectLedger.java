package io.onceflow.conformance;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.onceflow.conformance.SuiteStep.Act;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * The participants of all steps, as an HTTP server of the suite: it decides how they behave and
 * records each effect. As with payment gateways, a request under a known key has no second effect;
 * under another key it has.
 */
final class EffectLedger implements AutoCloseable {

  /** The error that a participant refuses with. */
  static final String ERROR_TYPE = "OUT_OF_STOCK";

  private final Map<Operation, Requests> requests = new HashMap<>();
  private final List<Operation> effects = new ArrayList<>();
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final HttpServer server;

  /** What a participant does with a request. */
  enum Behaviour {
    SUCCEED(true, 200),
    /** Has no effect and responds with {@link #ERROR_TYPE}. */
    REFUSE(false, 409),
    /** Has no effect, which the caller cannot know. */
    FAIL(false, 503),
    /** Has its effect, and the response is lost. */
    LOSE_RESPONSE(true, 503),
    /** Does nothing until another behaviour is set. */
    HANG(false, 503),
    /** Has its effect and does not respond until another behaviour is set. */
    HANG_AFTER_EFFECT(true, 503);

    private final boolean hasEffect;
    private final int status;

    Behaviour(boolean hasEffect, int status) {
      this.hasEffect = hasEffect;
      this.status = status;
    }
  }

  /** A step of a saga, or its compensation. */
  record Operation(String saga, SuiteStep step, Act act) {

    /** Such as {@code undo middle}. */
    @Override
    public String toString() {
      return "%s %s".formatted(act, step).toLowerCase(Locale.ROOT);
    }
  }

  /** The requests of an operation. */
  private static final class Requests {
    final Deque<Behaviour> behaviours = new ArrayDeque<>(List.of(Behaviour.SUCCEED));
    final Set<String> keys = new HashSet<>();
    int count;

    /** The last one stays. */
    Behaviour next() {
      return behaviours.size() > 1 ? behaviours.remove() : behaviours.element();
    }
  }

  /** Starts the server on a free port. */
  EffectLedger() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(threads);
    server.createContext("/", this::handle);
    server.start();
  }

  /** Where adapters find it. */
  URI url() {
    return URI.create("http://localhost:" + server.getAddress().getPort());
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      String[] path = exchange.getRequestURI().getPath().split("/");
      SuiteStep step = SuiteStep.valueOf(path[2].toUpperCase(Locale.ROOT));
      Act act = Act.valueOf(path[3].toUpperCase(Locale.ROOT));
      String key = exchange.getRequestHeaders().getFirst("Idempotency-Key");
      int status = key == null ? 400 : request(new Operation(path[1], step, act), key);
      String response = status == 409 ? ERROR_TYPE : String.valueOf(status);
      byte[] body = response.getBytes(StandardCharsets.UTF_8);
      exchange.sendResponseHeaders(status, body.length);
      exchange.getResponseBody().write(body);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private Requests of(Operation operation) {
    return requests.computeIfAbsent(operation, unseen -> new Requests());
  }

  /** A participant's request; returns the status of its response. */
  synchronized int request(Operation operation, String key) throws InterruptedException {
    Requests known = of(operation);
    known.count++;
    Behaviour behaviour = known.next();
    while (behaviour == Behaviour.HANG) {
      wait();
      behaviour = known.next();
    }
    if (behaviour.hasEffect && isPossible(operation) && known.keys.add(key)) {
      effects.add(operation);
    }
    while (behaviour == Behaviour.HANG_AFTER_EFFECT) {
      wait();
      behaviour = known.next();
    }
    return behaviour.status;
  }

  /** A compensation of what was never done has no effect. */
  private boolean isPossible(Operation operation) {
    return operation.act() == Act.DO
        || effects.contains(new Operation(operation.saga(), operation.step(), Act.DO));
  }

  /** Sets how the next requests are handled; the last behaviour stays. */
  synchronized void set(Operation operation, Behaviour... next) {
    Deque<Behaviour> behaviours = of(operation).behaviours;
    behaviours.clear();
    Collections.addAll(behaviours, next);
    notifyAll();
  }

  synchronized int requests(Operation operation) {
    return of(operation).count;
  }

  /** The effects of a saga in their order. */
  synchronized List<Operation> effects(String saga) {
    return effects.stream().filter(it -> it.saga().equals(saga)).toList();
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
