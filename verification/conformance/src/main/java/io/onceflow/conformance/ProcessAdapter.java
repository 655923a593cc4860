package io.onceflow.conformance;

import io.onceflow.conformance.ScenarioResult.Skipped;
import io.onceflow.conformance.ScenarioResult.Verdict;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;

/** An adapter in any language: a process that serves the requests listed in the README. */
final class ProcessAdapter implements SagaAdapter {

  /** A JVM starts in seconds; on busy cores it takes ten times that. */
  private static final Duration READY_WITHIN = Duration.ofMinutes(2);

  /** As long as another start under the same key may take, or a database to be there. */
  private static final Duration ANSWERED_WITHIN = Duration.ofSeconds(30);

  private final ProcessBuilder command;
  private final HttpClient http = HttpClient.newHttpClient();
  private URI url;
  private Process process;

  /** Starts the process; its environment has the settings that the README lists. */
  ProcessAdapter(ProcessBuilder command, URI ledger) {
    this.command = command;
    command.environment().put("LEDGER_URL", ledger.toString());
    url = freePort();
    process = startProcess(1);
  }

  @Override
  public String start(String key, boolean waits) {
    return request("POST", key + (waits ? "?waits=true" : ""));
  }

  @Override
  public boolean cancel(String key) {
    return Boolean.parseBoolean(request("POST", key + "/cancel"));
  }

  @Override
  public SagaSnapshot read(String key) {
    return SagaSnapshot.parse(request("GET", key));
  }

  @Override
  public void send(String key, String messageId) {
    request("POST", key + "/messages/" + messageId);
  }

  @Override
  public void repair(String key) {
    request("POST", key + "/repair");
  }

  @Override
  public void redeliver(String key) {
    request("POST", key + "/redelivery");
  }

  /** A request that is answered by 409 or 503 is repeated. */
  private String request(String method, String path) {
    HttpRequest request =
        HttpRequest.newBuilder(url.resolve("/sagas/" + path))
            .header("Idempotency-Key", "\"%s\"".formatted(path.split("[?/]")[0]))
            .timeout(ANSWERED_WITHIN)
            .method(method, BodyPublishers.noBody())
            .build();
    long end = System.nanoTime() + ANSWERED_WITHIN.toNanos();
    HttpResponse<String> response = exchange(request);
    while ((response.statusCode() == 409 || response.statusCode() == 503)
        && System.nanoTime() < end) {
      TestedSaga.pause();
      response = exchange(request);
    }
    String body = response.body().strip();
    return switch (response.statusCode()) {
      case 200, 201, 202, 204 -> body;
      case 501 -> throw new Skipped(skipped(body), body);
      default ->
          throw new IllegalStateException(
              "%s %s: %s %s".formatted(method, path, response.statusCode(), body));
    };
  }

  private static Verdict skipped(String why) {
    return why.startsWith("not covered") ? Verdict.NOT_COVERED : Verdict.UNSUPPORTED;
  }

  private HttpResponse<String> exchange(HttpRequest request) {
    try {
      return http.send(request, BodyHandlers.ofString());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void killAndRestart() {
    kill();
    process = startProcess(1);
  }

  private void kill() {
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly().onExit().join();
  }

  @Override
  public void upgrade() {
    process.destroy();
    process.onExit().join();
    process = startProcess(2);
  }

  private Process startProcess(int version) {
    url = freePort();
    command.environment().put("PORT", String.valueOf(url.getPort()));
    command.environment().put("VERSION", String.valueOf(version));
    try {
      Process started = command.start();
      awaitReady(started);
      return started;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static URI freePort() {
    try (ServerSocket free = new ServerSocket(0)) {
      return URI.create("http://localhost:" + free.getLocalPort());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void awaitReady(Process started) {
    long end = System.nanoTime() + READY_WITHIN.toNanos();
    while (!isReady()) {
      if (!started.isAlive() || System.nanoTime() > end) {
        started.destroyForcibly();
        throw new IllegalStateException("not started: " + command.command());
      }
      TestedSaga.pause();
    }
  }

  /** It is when it answers anything. */
  private boolean isReady() {
    try {
      exchange(HttpRequest.newBuilder(url).build());
      return true;
    } catch (UncheckedIOException e) {
      return false;
    }
  }

  @Override
  public void close() {
    kill();
    http.close();
  }
}
