package io.onceflow.benchmarks.load;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The clients notice what a broken guard would answer. */
@Timeout(60)
class LoadTest {

  private static final Duration SHORT = Duration.ofMillis(200);
  private static final String PATH = "/notes";

  private final AtomicLong executions = new AtomicLong();
  private final Map<String, String> kept = new ConcurrentHashMap<>();
  private HttpServer server;
  private Callers callers;

  /** What the server does wrong. */
  private enum Fault {
    NONE,
    FORGETS,
    MIXES_UP,
    FAILS
  }

  private volatile Fault fault = Fault.NONE;

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext(PATH, this::answer);
    server.start();
    callers =
        new Callers(List.of(URI.create("http://localhost:" + server.getAddress().getPort())), 4);
  }

  @AfterEach
  void stop() {
    callers.close();
    server.stop(0);
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      exchange.getRequestBody().readAllBytes();
      String key = exchange.getRequestHeaders().getFirst("Idempotency-Key").replace("\"", "");
      String fresh = executions.incrementAndGet() + " " + key;
      String earlier = fault == Fault.FORGETS ? null : kept.putIfAbsent(key, fresh);
      if (earlier != null) {
        exchange.getResponseHeaders().set("Idempotent-Replayed", "true");
      }
      byte[] body = body(earlier == null ? fresh : earlier, fresh).getBytes(UTF_8);
      exchange.sendResponseHeaders(fault == Fault.FAILS ? 500 : 201, body.length);
      exchange.getResponseBody().write(body);
    }
  }

  private String body(String own, String others) {
    return fault == Fault.MIXES_UP ? others : own;
  }

  @Test
  void findsNothingWrongWithAGuardThatKeepsItsWord() throws Exception {
    for (Load load : List.of(ownKeys(), herds(), repeats())) {
      Measured measured = load.run(SHORT);
      assertThat(measured.examples()).isEmpty();
      assertThat(measured.wrong()).isZero();
      assertThat(measured.answers().getTotalCount()).isPositive();
      assertThat(measured.keys()).isPositive();
    }
    assertThat(kept).hasSizeGreaterThan(2);
  }

  @Test
  void noticesAGuardThatForgets() throws Exception {
    fault = Fault.FORGETS;
    assertThat(herds().run(SHORT).wrong()).isPositive();
    assertThat(repeats().run(SHORT).wrong()).isPositive();
  }

  @Test
  void noticesAReplayOfAnotherAnswer() throws Exception {
    fault = Fault.MIXES_UP;
    assertThat(herds().run(SHORT).wrong()).isPositive();
    assertThat(repeats().run(SHORT).wrong()).isPositive();
  }

  @Test
  void noticesFailures() throws Exception {
    fault = Fault.FAILS;
    Measured measured = ownKeys().run(SHORT);
    assertThat(measured.wrong()).isEqualTo(measured.answers().getTotalCount()).isPositive();
    assertThat(measured.examples().getFirst()).contains("status=500");
  }

  @Test
  void countsWhatGetsNoAnswerAsWrong() throws Exception {
    Load load = ownKeys();
    server.stop(0);
    assertThat(load.run(SHORT).wrong()).isPositive();
  }

  private Load ownKeys() {
    return new OwnKeys(callers, PATH);
  }

  private Load herds() {
    return new Herds(callers, PATH);
  }

  private Load repeats() {
    return new Repeats(callers, PATH);
  }
}
