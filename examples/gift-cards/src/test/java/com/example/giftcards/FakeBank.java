package com.example.giftcards;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/** A bank with a memory of its own, which outlives the application that calls it. */
final class FakeBank implements AutoCloseable {

  private final HttpServer server;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final Set<String> charged = ConcurrentHashMap.newKeySet();
  private final AtomicInteger calls = new AtomicInteger();
  private final AtomicInteger failures = new AtomicInteger();
  private volatile CountDownLatch answers = new CountDownLatch(0);

  FakeBank() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(threads);
    server.createContext("/charges", this::charge);
    server.start();
  }

  URI url() {
    return URI.create("http://localhost:" + server.getAddress().getPort());
  }

  /** Money was taken so often. */
  int charges() {
    return charged.size();
  }

  /** It was asked so often. */
  int calls() {
    return calls.get();
  }

  /** The next call fails, and takes no money. */
  void failOnce() {
    failures.incrementAndGet();
  }

  /** From now on it charges, and its answers wait. */
  void holdAnswers() {
    answers = new CountDownLatch(1);
  }

  void letAnswersGo() {
    answers.countDown();
  }

  @Override
  public void close() {
    letAnswersGo();
    server.stop(0);
    threads.close();
  }

  private void charge(HttpExchange exchange) throws IOException {
    try (exchange) {
      boolean isFailing = failures.getAndUpdate(left -> Math.max(0, left - 1)) > 0;
      if (!isFailing) {
        charged.add(exchange.getRequestHeaders().getFirst("Idempotency-Key"));
      }
      calls.incrementAndGet();
      answers.await();
      exchange.sendResponseHeaders(isFailing ? 503 : 201, -1);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
