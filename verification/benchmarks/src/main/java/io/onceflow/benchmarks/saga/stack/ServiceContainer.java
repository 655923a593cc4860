package io.onceflow.benchmarks.saga.stack;

import io.onceflow.benchmarks.machine.BenchProcess;
import io.onceflow.benchmarks.machine.RunningService;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** A service in a container of its image, behind the {@code docker run} that waits for it. */
final class ServiceContainer implements RunningService {

  private static final Path ANYWHERE = Path.of("").toAbsolutePath();

  private final String name;
  private final BenchProcess client;
  private final Thread whenKilled;

  private ServiceContainer(String name, BenchProcess client) {
    this.name = name;
    this.client = client;
    whenKilled = new Thread(() -> remove(name));
    Runtime.getRuntime().addShutdownHook(whenKilled);
  }

  /**
   * Starts it without waiting for it, in place of what a killed benchmark left under its name.
   *
   * @param environment of the service
   * @param publicKey a file that it may read, under the same path
   */
  static ServiceContainer start(
      String name, ServiceImage image, Path log, Map<String, String> environment, Path publicKey)
      throws IOException {
    remove(name);
    List<String> command = image.command(name, environment.keySet(), publicKey);
    return new ServiceContainer(name, BenchProcess.run(name, log, command, environment));
  }

  /** The first process in the container is the JVM. */
  @Override
  public long pid() throws IOException, InterruptedException {
    List<String> inspect = List.of("docker", "inspect", "--format", "{{.State.Pid}}", name);
    return Long.parseLong(CommandOutput.of(inspect, ANYWHERE).strip());
  }

  @Override
  public Duration awaitReady(URI health) throws IOException, InterruptedException {
    return client.awaitReady(health);
  }

  /** {@code docker run} hands its own signal on. */
  @Override
  public void close() {
    client.close();
    remove(name);
    Runtime.getRuntime().removeShutdownHook(whenKilled);
  }

  /** Fails in silence if there is none. */
  private static void remove(String name) {
    try {
      new ProcessBuilder("docker", "rm", "--force", name)
          .redirectOutput(Redirect.DISCARD)
          .redirectError(Redirect.DISCARD)
          .start()
          .waitFor();
    } catch (IOException e) {
      throw new UncheckedIOException("The container %s cannot be removed".formatted(name), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
