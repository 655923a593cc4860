package io.onceflow.launcher.demo;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RehearsalTest {

  private static final Duration TIMEOUT = Duration.ofSeconds(1);

  private final CountDownLatch over = new CountDownLatch(1);
  private final AtomicBoolean isFirst = new AtomicBoolean(true);
  private HttpServer server;

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext("/orders", this::answer);
    server.start();
  }

  @AfterEach
  void stop() {
    over.countDown();
    server.stop(0);
  }

  /** As on a machine on which images are built and much else runs. */
  @Test
  void continuesAfterARequestThatIsNotAnsweredInTime() throws Exception {
    URI orders = URI.create("http://localhost:" + server.getAddress().getPort());

    long placed = new Rehearsal(orders, new Api("token", TIMEOUT)).run(1, TIMEOUT.multipliedBy(5));

    assertThat(isFirst).isFalse();
    assertThat(placed).isPositive();
  }

  private void answer(HttpExchange exchange) throws IOException {
    boolean isPlaced = exchange.getRequestMethod().equals("POST");
    if (isPlaced && isFirst.getAndSet(false)) {
      try {
        over.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
    exchange.getRequestBody().readAllBytes();
    byte[] body = "{\"id\": \"1\", \"status\": \"CONFIRMED\"}".getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(isPlaced ? 201 : 200, body.length);
    exchange.getResponseBody().write(body);
    exchange.close();
  }
}
