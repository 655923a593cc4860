package com.example.loyalty;

import static org.awaitility.Awaitility.await;

import io.onceflow.launcher.servers.FreePorts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** What {@code package} has made, as a process of its own. */
final class LoyaltyProcess implements AutoCloseable {

  private static final Path FOLDER = Path.of("target");

  /** Starting takes seconds, on two busy cores ten times that. */
  private static final Duration READY_WITHIN = Duration.ofMinutes(3);

  private final URI url = URI.create("http://localhost:" + FreePorts.next() + "/");
  private final Path log = FOLDER.resolve("loyalty-%d.log".formatted(url.getPort()));
  private final Process process;

  /** Starts it; {@link #awaitReady()} waits for it. */
  LoyaltyProcess(Map<String, String> settings) {
    process = start(settings);
  }

  LoyaltyProcess awaitReady() {
    await("loyalty is ready; else see " + log)
        .atMost(READY_WITHIN)
        .failFast(() -> !process.isAlive())
        .until(this::isReady);
    return this;
  }

  /** As {@code kill -9} does: it gets to do nothing any more. */
  void kill() {
    try {
      process.destroyForcibly().waitFor();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    kill();
  }

  private Process start(Map<String, String> settings) {
    Path jar = FOLDER.resolve("quarkus-app/quarkus-run.jar");
    if (!Files.exists(jar)) {
      throw new IllegalStateException("not packaged; run ./mvnw verify, which packages it first");
    }
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    // It does not live for as long as the optimizing compiler takes to pay off.
    command.addAll(List.of("-Xmx192m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
    settings.forEach((name, value) -> command.add("-D%s=%s".formatted(name, value)));
    command.add("-Dquarkus.http.host=localhost");
    command.add("-Dquarkus.http.port=" + url.getPort());
    command.addAll(List.of("-jar", jar.toString()));
    try {
      return new ProcessBuilder(command)
          .redirectErrorStream(true)
          .redirectOutput(Redirect.appendTo(log.toFile()))
          .start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private boolean isReady() {
    try {
      URI health = url.resolve("q/health/ready");
      HttpURLConnection connection = (HttpURLConnection) health.toURL().openConnection();
      connection.setConnectTimeout(1_000);
      connection.setReadTimeout(5_000);
      return connection.getResponseCode() == 200;
    } catch (IOException e) {
      return false;
    }
  }
}
