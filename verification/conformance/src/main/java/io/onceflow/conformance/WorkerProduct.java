package io.onceflow.conformance;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * A product whose worker is a process with an HTTP server, in any language: the adapter is that
 * process. The README has its requests.
 */
public final class WorkerProduct implements SagaProduct {

  /** Starting a JVM takes seconds, on busy cores ten times that. */
  private static final Duration READY_WITHIN = Duration.ofMinutes(2);

  /** While a start under the same key is being processed, or the database is not there. */
  private static final Duration ANSWERED_WITHIN = Duration.ofSeconds(30);

  private final String name;
  private final Command command;
  private final Path log;
  private final boolean needsOldWorkers;
  private final HttpClient http = HttpClient.newHttpClient();
  private final List<Process> others = new ArrayList<>();
  private Process process;
  private URI url;
  private int version = 1;

  /** How the worker is started. */
  @FunctionalInterface
  public interface Command {
    /**
     * @param version of the saga: 1 or 2
     * @param port of its HTTP server
     */
    ProcessBuilder of(int version, int port);
  }

  /**
   * Starts the worker.
   *
   * @param log of all its processes
   * @param needsOldWorkers whether sagas under way need a worker of their version beside the new
   *     one
   */
  public WorkerProduct(String name, Command command, Path log, boolean needsOldWorkers) {
    this.name = name;
    this.command = command;
    this.log = log;
    this.needsOldWorkers = needsOldWorkers;
    startWorker();
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public String start(String key, Shape shape) {
    return post(key, shape == Shape.STEPS ? "" : "?waits=true");
  }

  @Override
  public CancelAnswer cancel(String key) {
    return CancelAnswer.valueOf(post(key, "/cancel"));
  }

  @Override
  public SeenSaga read(String key) {
    return SeenSaga.parse(answer(HttpRequest.newBuilder(url.resolve("/sagas/" + key)).GET()));
  }

  @Override
  public void send(String key, String messageId) {
    post(key, "/messages/" + messageId);
  }

  @Override
  public void repair(String key) {
    post(key, "/repair");
  }

  @Override
  public void redeliver(String key) {
    post(key, "/redelivery");
  }

  private String post(String key, String path) {
    return answer(
        HttpRequest.newBuilder(url.resolve("/sagas/" + key + path))
            .header("Idempotency-Key", "\"%s\"".formatted(key))
            .POST(BodyPublishers.noBody()));
  }

  /** A request that is answered as in progress or unavailable is repeated. */
  private String answer(HttpRequest.Builder request) {
    long end = System.nanoTime() + ANSWERED_WITHIN.toNanos();
    HttpRequest built = request.timeout(ANSWERED_WITHIN).build();
    HttpResponse<String> response = exchange(built);
    while (response.statusCode() == 409 || response.statusCode() == 503) {
      if (System.nanoTime() > end) {
        throw new IllegalStateException("answered " + response.statusCode() + response.body());
      }
      Trial.pause();
      response = exchange(built);
    }
    return switch (response.statusCode()) {
      case 200, 201, 202 -> response.body().strip();
      case 204 -> "";
      case 501 -> throw NotProvided.unsupported(response.body());
      case 404 -> throw NotProvided.notCovered("the adapter has no " + built.uri().getPath());
      default ->
          throw new IllegalStateException(
              "%s answered %s %s"
                  .formatted(built.uri().getPath(), response.statusCode(), response.body()));
    };
  }

  private HttpResponse<String> exchange(HttpRequest request) {
    try {
      return http.send(request, BodyHandlers.ofString());
    } catch (IOException e) {
      throw new UncheckedIOException("the worker does not answer; see " + log, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  private void startWorker() {
    int port = freePort();
    url = URI.create("http://localhost:" + port);
    try {
      process =
          command
              .of(version, port)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
              .start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    awaitReady();
  }

  private void awaitReady() {
    long end = System.nanoTime() + READY_WITHIN.toNanos();
    while (!isReady()) {
      if (!process.isAlive() || System.nanoTime() > end) {
        throw new IllegalStateException("the worker of " + name + " did not start; see " + log);
      }
      Trial.pause();
    }
  }

  private boolean isReady() {
    try {
      return exchange(HttpRequest.newBuilder(url.resolve("/ready")).build()).statusCode() == 200;
    } catch (UncheckedIOException e) {
      return false;
    }
  }

  @Override
  public void killAndRestart() {
    killWorker();
    startWorker();
  }

  private void killWorker() {
    try {
      process.destroyForcibly().waitFor();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** The old worker is stopped in order, or stays for the sagas of its version. */
  @Override
  public void upgrade() {
    version = 2;
    if (needsOldWorkers) {
      others.add(process);
    } else {
      process.destroy();
      process.onExit().join();
    }
    startWorker();
  }

  @Override
  public void close() {
    others.forEach(Process::destroyForcibly);
    killWorker();
    http.close();
  }

  private static int freePort() {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
