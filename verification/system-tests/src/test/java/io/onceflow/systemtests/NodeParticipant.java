package io.onceflow.systemtests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.onceflow.launcher.testing.TestServers;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A process of {@code examples/node-participant}, which tests may kill and start again. */
final class NodeParticipant {

  /** The database of all such processes. */
  static final String DATABASE = "node_shipping";

  private static final Path FOLDER = Project.file("examples/node-participant");
  private static final String HOST = "127.0.0.1";
  private static final Duration READY_WITHIN = Duration.ofMinutes(1);
  private static final long INSTALLED_WITHIN_MINUTES = 3;
  private static final long ENDED_WITHIN_SECONDS = 60;

  private final Path log;
  private final int managementPort = Ports.next();
  private final Map<String, String> environment;
  private @Nullable Process process;

  /** It does not run yet. */
  NodeParticipant(TestServers servers, Path output, String name) {
    this.log = output.resolve(name + ".log");
    this.environment =
        Map.of(
            "DATABASE_URL",
            servers
                .jdbcUrl(DATABASE)
                .replace(
                    "jdbc:postgresql://",
                    "postgresql://%s:%s@".formatted(servers.user(DATABASE), servers.password())),
            "RABBITMQ_HOST",
            servers.brokerHost(),
            "RABBITMQ_PORT",
            Integer.toString(servers.brokerPort()),
            "RABBITMQ_USERNAME",
            servers.brokerUser(),
            "RABBITMQ_PASSWORD",
            servers.password(),
            "RABBITMQ_VIRTUAL_HOST",
            servers.brokerVirtualHost(),
            "QUARKUS_MANAGEMENT_PORT",
            Integer.toString(managementPort));
  }

  /**
   * Skips the test, saying so, where there is no Node or its libraries cannot be had; it fails then
   * where {@code ONCEFLOW_NODE} is {@code required}, as in the project's workflows.
   */
  static void install() {
    boolean isRequired = "required".equals(System.getenv("ONCEFLOW_NODE"));
    boolean isThere = isOnPath("node") && isOnPath("npm") && isInstalled();
    assertThat(isThere || !isRequired).as("Node and the participant's libraries").isTrue();
    assumeTrue(isThere, "There is no Node here, or no libraries, so its participant is not tested");
  }

  private static boolean isInstalled() {
    if (Files.exists(FOLDER.resolve("node_modules"))) {
      return true;
    }
    try {
      run("npm", "ci", "--no-audit", "--no-fund");
      return true;
    } catch (AssertionError e) {
      System.out.println("npm cannot install the participant's libraries: " + e.getMessage());
      return false;
    }
  }

  private static boolean isOnPath(String program) {
    return Stream.of(System.getenv("PATH").split(File.pathSeparator))
        .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
  }

  /** Runs a program in the example's folder, which has to succeed. */
  static void run(String... command) {
    try {
      Path said = Files.createTempFile("node-participant", ".log");
      Process process =
          new ProcessBuilder(command)
              .directory(FOLDER.toFile())
              .redirectErrorStream(true)
              .redirectOutput(said.toFile())
              .start();
      boolean isOver = process.waitFor(INSTALLED_WITHIN_MINUTES, TimeUnit.MINUTES);
      assertThat(isOver && process.exitValue() == 0).as(Files.readString(said)).isTrue();
      Files.delete(said);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** Starts it if it does not run, and waits until it consumes. */
  NodeParticipant start() {
    if (process == null || !process.isAlive()) {
      ProcessBuilder builder =
          new ProcessBuilder(List.of("node", "src/main.js"))
              .directory(FOLDER.toFile())
              .redirectErrorStream(true)
              .redirectOutput(Redirect.appendTo(log.toFile()));
      builder.environment().putAll(environment);
      try {
        process = builder.start();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    await("the Node participant is ready; its log is " + log)
        .atMost(READY_WITHIN)
        .until(this::isReady);
    return this;
  }

  /** As {@code kill -9} does. */
  void kill() {
    if (process != null) {
      end(process.destroyForcibly());
    }
  }

  /** As {@code kill} does: it brings to an end what it is at. Returns its exit code. */
  int stop() {
    if (process == null) {
      return 0;
    }
    process.destroy();
    return end(process);
  }

  private static int end(Process ending) {
    try {
      if (!ending.waitFor(ENDED_WITHIN_SECONDS, TimeUnit.SECONDS)) {
        ending.destroyForcibly();
        throw new AssertionError("the Node participant did not stop");
      }
      return ending.exitValue();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  private boolean isReady() {
    try {
      URI health = URI.create("http://%s:%d/q/health/ready".formatted(HOST, managementPort));
      HttpURLConnection connection = (HttpURLConnection) health.toURL().openConnection();
      connection.setConnectTimeout(1_000);
      connection.setReadTimeout(5_000);
      return connection.getResponseCode() == 200;
    } catch (IOException e) {
      return false;
    }
  }
}
