package io.onceflow.saga.internal.services;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import io.onceflow.launcher.servers.FreePorts;
import io.onceflow.saga.internal.services.ServiceAnswer.Answered;
import io.onceflow.saga.internal.services.ServiceAnswer.Unanswered;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Other services are asked at once, each within its time, and what they say comes back as it is.
 */
class OtherServicesTest {

  private static final int LARGEST = 1_000;
  private static final int AT_ONCE = 3;
  private static final String TOKEN = "the.caller's.token";

  /** Nothing listens there. */
  private static final URI CLOSED = URI.create("http://127.0.0.1:" + FreePorts.next());

  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final CountDownLatch end = new CountDownLatch(1);
  private final Map<String, Optional<URI>> urls = new HashMap<>();
  private HttpServer server;
  private OtherServices services;

  @BeforeEach
  void listen() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(threads);
    server.start();
  }

  @AfterEach
  void close() {
    end.countDown();
    if (services != null) {
      services.close();
    }
    server.stop(0);
    threads.shutdownNow();
  }

  @Test
  void asksAllAtOnceAndNamesEachAnswer() throws Exception {
    CyclicBarrier both = new CyclicBarrier(2);
    HttpHandler handler =
        exchange -> {
          meet(both);
          answer(exchange, 200, exchange.getRequestURI().toString());
        };
    serve("payments", handler);
    serve("shipping", handler);
    urls.put("closed", Optional.of(CLOSED));

    Map<String, ServiceAnswer> answers =
        services().askAll(ServiceRequest.act("GET", "/participant?a=b", null), TOKEN);

    assertThat(answers).containsOnlyKeys("closed", "payments", "shipping");
    assertThat(List.copyOf(answers.keySet())).isSorted();
    assertThat(answers.get("payments"))
        .isEqualTo(new Answered(200, "text/plain", null, "/payments/participant?a=b"));
    assertThat(answers.get("shipping"))
        .isEqualTo(new Answered(200, "text/plain", null, "/shipping/participant?a=b"));
    assertThat(answers.get("closed"))
        .isEqualTo(new Unanswered("Cannot connect to %s.".formatted(CLOSED.getAuthority())));
  }

  @Test
  void sendsTheCallersTokenAndTheBody() {
    serve(
        "payments",
        exchange ->
            answer(
                exchange,
                200,
                String.join(
                    " ",
                    exchange.getRequestMethod(),
                    exchange.getRequestHeaders().getFirst("Authorization"),
                    exchange.getRequestHeaders().getFirst("Content-Type"),
                    new String(exchange.getRequestBody().readAllBytes(), UTF_8))));

    assertThat(asked(ServiceRequest.act("PUT", "/x", "{\"grün\":1}")))
        .isEqualTo(
            new Answered(
                200,
                "text/plain",
                null,
                "PUT Bearer %s application/json {\"grün\":1}".formatted(TOKEN)));
  }

  @Test
  void passesOnWhatIsRefusedAndFollowsNobodyElsewhere() {
    serve(
        "payments",
        exchange -> {
          exchange.getResponseHeaders().set("Location", "/payments/elsewhere");
          exchange.getResponseHeaders().set("Retry-After", "7");
          answer(exchange, 302, "over there");
        });

    assertThat(asked(ServiceRequest.get("/x")))
        .isEqualTo(new Answered(302, "text/plain", "7", "over there"));
  }

  @Test
  void waitsNoLongerThanItIsTold() {
    serve("payments", exchange -> waitFor(end));

    assertThat(asked(within("GET", Duration.ofMillis(300))))
        .isInstanceOfSatisfying(
            Unanswered.class, it -> assertThat(it.why()).startsWith("It did not answer within"));
    assertThat(asked(within("POST", Duration.ofMillis(300))))
        .isInstanceOfSatisfying(
            Unanswered.class, it -> assertThat(it.why()).contains("may have done it"));
  }

  @Test
  void waitsNoLongerForABodyThatStopsInItsMiddle() {
    serve(
        "payments",
        exchange -> {
          exchange.sendResponseHeaders(200, 10);
          exchange.getResponseBody().write('a');
          exchange.getResponseBody().flush();
          waitFor(end);
        });

    assertThat(asked(within("GET", Duration.ofMillis(300))))
        .isInstanceOfSatisfying(
            Unanswered.class, it -> assertThat(it.why()).startsWith("It did not answer within"));
  }

  @Test
  void readsNoMoreThanItsBound() {
    serve("payments", exchange -> answer(exchange, 200, "x".repeat(LARGEST)));
    serve("shipping", exchange -> answer(exchange, 200, "x".repeat(LARGEST + 1)));

    Map<String, ServiceAnswer> answers =
        services().askAll(ServiceRequest.act("GET", "/", null), TOKEN);

    assertThat(answers.get("payments")).isInstanceOf(Answered.class);
    assertThat(answers.get("shipping"))
        .isEqualTo(new Unanswered("Its answer is larger than 0 KiB."));
  }

  @Test
  void asksSoManyAtOnceAndThenAgain() throws Exception {
    CountDownLatch arrived = new CountDownLatch(AT_ONCE);
    serve(
        "payments",
        exchange -> {
          arrived.countDown();
          waitFor(end);
          answer(exchange, 200, "");
        });
    OtherServices some = services();
    List<Future<ServiceAnswer>> asked =
        Stream.generate(() -> threads.submit(() -> asked(ServiceRequest.act("GET", "/", null))))
            .limit(AT_ONCE)
            .toList();
    assertThat(arrived.await(10, TimeUnit.SECONDS)).isTrue();

    assertThat(some.ask("payments", ServiceRequest.get("/"), TOKEN).orElseThrow())
        .isInstanceOfSatisfying(
            Unanswered.class, it -> assertThat(it.why()).contains("Limit reached"));

    end.countDown();
    for (Future<ServiceAnswer> one : asked) {
      assertThat(one.get(10, TimeUnit.SECONDS)).isInstanceOf(Answered.class);
    }
    await()
        .untilAsserted(
            () ->
                assertThat(some.ask("payments", ServiceRequest.get("/"), TOKEN).orElseThrow())
                    .isInstanceOf(Answered.class));
  }

  @Test
  void knowsWhatIsListedAndNotItself() {
    urls.put("orders", Optional.of(CLOSED));
    urls.put("unset", Optional.empty());
    urls.put("payments", Optional.of(URI.create("localhost:8081")));

    assertThat(services().askAll(ServiceRequest.get("/"), TOKEN)).containsOnlyKeys("payments");
    assertThat(services().ask("orders", ServiceRequest.get("/"), TOKEN)).isEmpty();
    assertThat(services().ask("unset", ServiceRequest.get("/"), TOKEN)).isEmpty();
    assertThat(asked(ServiceRequest.get("/")))
        .isInstanceOfSatisfying(
            Unanswered.class, it -> assertThat(it.why()).contains("onceflow.services"));
  }

  private ServiceAnswer asked(ServiceRequest request) {
    return services().ask("payments", request, TOKEN).orElseThrow();
  }

  private synchronized OtherServices services() {
    if (services == null) {
      services = new OtherServices(() -> urls, "orders", LARGEST, AT_ONCE);
    }
    return services;
  }

  private static ServiceRequest within(String method, Duration within) {
    return new ServiceRequest(method, "/", null, within);
  }

  private void serve(String name, HttpHandler handler) {
    server.createContext("/" + name, handler);
    urls.put(
        name,
        Optional.of(
            URI.create("http://127.0.0.1:%d/%s/".formatted(server.getAddress().getPort(), name))));
  }

  private static void answer(HttpExchange exchange, int status, String body) throws IOException {
    byte[] bytes = body.getBytes(UTF_8);
    exchange.getResponseHeaders().set("Content-Type", "text/plain");
    exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
    exchange.getResponseBody().write(bytes);
    exchange.close();
  }

  private static void waitFor(CountDownLatch latch) throws IOException {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
  }

  private static void meet(CyclicBarrier barrier) throws IOException {
    try {
      barrier.await(10, TimeUnit.SECONDS);
    } catch (Exception e) {
      throw new IOException(e);
    }
  }
}
