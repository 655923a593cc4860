package io.onceflow.benchmarks.machine;

import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;

/** A program that the benchmark started. It ends with the benchmark, unless that is killed. */
public final class BenchProcess implements RunningService {

  private static final Duration READY_WITHIN = Duration.ofMinutes(2);

  /** Short, since it is the error of the start-up times that are reported. */
  private static final Duration ASK_EVERY = Duration.ofMillis(50);

  /** A service stops within a second or two. */
  private static final Duration STOP_WITHIN = Duration.ofSeconds(10);

  private final String name;
  private final Process process;
  private final Path log;
  private final long startedAtNanos;
  private final Thread whenKilled;

  private BenchProcess(String name, Process process, Path log, long startedAtNanos) {
    this.name = name;
    this.process = process;
    this.log = log;
    this.startedAtNanos = startedAtNanos;
    whenKilled = new Thread(process::destroyForcibly);
    Runtime.getRuntime().addShutdownHook(whenKilled);
  }

  /** Starts one with the Java that runs the benchmark, without waiting for it. */
  public static BenchProcess start(
      String name, Path log, List<String> arguments, Map<String, String> environment)
      throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(arguments);
    return run(name, log, command, environment);
  }

  /** Starts one by its command line, without waiting for it. */
  public static BenchProcess run(
      String name, Path log, List<String> command, Map<String, String> environment)
      throws IOException {
    Files.createDirectories(log.getParent());
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile());
    builder.environment().putAll(environment);
    long startedAtNanos = System.nanoTime();
    return new BenchProcess(name, builder.start(), log, startedAtNanos);
  }

  @Override
  public long pid() {
    return process.pid();
  }

  /** The processor time that it has used. */
  Duration cpu() {
    return process.info().totalCpuDuration().orElse(Duration.ZERO);
  }

  /** Waits until the process listens on the port. */
  public void awaitPort(int port) throws IOException, InterruptedException {
    await(
        () -> {
          try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return socket.isConnected();
          }
        });
  }

  @Override
  public Duration awaitReady(URI health) throws IOException, InterruptedException {
    await(
        () -> {
          HttpURLConnection asked = (HttpURLConnection) health.toURL().openConnection();
          asked.setConnectTimeout(1_000);
          asked.setReadTimeout(5_000);
          return asked.getResponseCode() == HttpURLConnection.HTTP_OK;
        });
    return Duration.ofNanos(System.nanoTime() - startedAtNanos);
  }

  private void await(Callable<Boolean> isReady) throws IOException, InterruptedException {
    while (!answers(isReady)) {
      if (!process.isAlive() || System.nanoTime() - startedAtNanos > READY_WITHIN.toNanos()) {
        throw new IOException("%s does not get ready; its log: %s".formatted(name, log));
      }
      Thread.sleep(ASK_EVERY);
    }
  }

  private static boolean answers(Callable<Boolean> isReady) throws IOException {
    try {
      return isReady.call();
    } catch (IOException e) {
      return false;
    } catch (Exception e) {
      throw new IOException("Cannot be asked", e);
    }
  }

  @Override
  public void close() {
    process.destroy();
    try {
      if (!process.waitFor(STOP_WITHIN.toMillis(), TimeUnit.MILLISECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
    process.onExit().join();
    Runtime.getRuntime().removeShutdownHook(whenKilled);
  }
}
