package io.onceflow.benchmarks.compare;

import io.onceflow.benchmarks.peers.Effects;
import io.onceflow.benchmarks.peers.OrderMix;
import io.onceflow.benchmarks.peers.PeerLine;
import io.onceflow.benchmarks.peers.PeerRun;
import io.onceflow.benchmarks.peers.PeerServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** A JVM with a peer's libraries, which takes commands. It ends when its input is closed. */
final class PeerProcess implements AutoCloseable {

  /** As much as the three services of Onceflow have together. */
  private static final String HEAP = "-Xmx768m";

  /** As the services of Onceflow have. */
  private static final String COLLECTOR = "-XX:+UseSerialGC";

  /** Beyond the length of a run; a peer that hangs is left out, and the others continue. */
  private static final Duration ANSWER_WITHIN = Duration.ofMinutes(2);

  private static final Duration STOP_WITHIN = Duration.ofSeconds(10);

  private final String name;
  private final Path log;
  private final Process process;
  private final PrintWriter commands;
  private final BufferedReader answers;

  private PeerProcess(String name, Path log, Process process) {
    this.name = name;
    this.log = log;
    this.process = process;
    commands = new PrintWriter(process.outputWriter(StandardCharsets.UTF_8), true);
    answers = process.inputReader(StandardCharsets.UTF_8);
  }

  /**
   * Starts one and returns when it is ready.
   *
   * @param built its classes and libraries
   * @param environment in addition to the benchmark's
   */
  static PeerProcess start(PeerBuild.Built built, Path log, Map<String, String> environment)
      throws IOException {
    Files.createDirectories(log.getParent());
    ProcessBuilder builder =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                HEAP,
                COLLECTOR,
                "-cp",
                built.classPath(),
                built.mainClass())
            .redirectError(log.toFile());
    builder.environment().putAll(environment);
    PeerProcess started = new PeerProcess(built.name().label(), log, builder.start());
    try {
      started.await(PeerLine.READY.name(), Duration.ZERO);
      return started;
    } catch (IOException e) {
      started.close();
      throw e;
    }
  }

  long pid() {
    return process.pid();
  }

  PeerRun run(int clients, Duration length, OrderMix mix) throws IOException {
    commands.println(PeerServer.run(clients, length, mix));
    return PeerRun.of(await("peer-run", length));
  }

  Effects effects() throws IOException {
    commands.println(PeerServer.EFFECTS);
    return Effects.of(await("peer-effects", Duration.ZERO));
  }

  /** Whatever else its libraries print is left out. */
  private PeerLine await(String answer, Duration length) throws IOException {
    long millis = length.plus(ANSWER_WITHIN).toMillis();
    CompletableFuture<Void> killing =
        CompletableFuture.runAsync(
            process::destroyForcibly,
            CompletableFuture.delayedExecutor(millis, TimeUnit.MILLISECONDS));
    try {
      for (String line = answers.readLine(); line != null; line = answers.readLine()) {
        Optional<PeerLine> read = PeerLine.parse(line).filter(it -> it.name().equals(answer));
        if (read.isPresent()) {
          return read.get();
        }
      }
      throw new IOException("%s has ended: %s (log: %s)".formatted(name, lastOf(log), log));
    } finally {
      killing.cancel(false);
    }
  }

  private static String lastOf(Path log) throws IOException {
    List<String> lines = Files.readAllLines(log).stream().filter(it -> !it.isBlank()).toList();
    return lines.stream()
        .filter(it -> it.contains("Exception") || it.contains("Error"))
        .findFirst()
        .orElse(lines.isEmpty() ? "it said nothing" : lines.getLast())
        .strip();
  }

  @Override
  public void close() {
    commands.close();
    try {
      if (!process.waitFor(STOP_WITHIN.toMillis(), TimeUnit.MILLISECONDS)) {
        process.destroyForcibly().waitFor();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
