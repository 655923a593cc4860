package io.onceflow.systemtests;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One service, as a process that tests may kill and start again on the same ports. */
final class ServiceProcess {

  private static final String HOST = "127.0.0.1";

  /** Starting takes seconds; three at once on two busy cores may take ten times that. */
  private static final Duration READY_WITHIN = Duration.ofMinutes(3);

  private static final int LOG_LINES = 40;

  private static final List<String> JVM =
      List.of(
          "-Xmx256m",
          "-XX:+UseSerialGC",
          // It does not live for as long as the optimizing compiler takes to pay off.
          "-XX:TieredStopAtLevel=1");

  private final String name;
  private final List<String> program;
  private final @Nullable ClassArchive archive;
  private final Path output;
  private final Path log;
  private final int port = Ports.next();
  private final int managementPort = Ports.next();
  private final Map<String, String> environment;
  private Map<String, String> settings = Map.of();
  private List<String> jvm = JVM;
  private @Nullable Process process;

  /**
   * @param name of its module
   * @param output folder for its log
   * @param environment beside its own addresses
   */
  ServiceProcess(String name, Path output, Map<String, String> environment) {
    this(
        name,
        List.of("-jar", Project.jar(name).toString()),
        ClassArchive.of(name),
        output,
        environment);
  }

  /** A program of the tests in a service's place. */
  static ServiceProcess of(Class<?> program, Path output) {
    String classPath = System.getProperty("java.class.path");
    return new ServiceProcess(
        program.getSimpleName(),
        List.of("-cp", classPath, program.getName()),
        null,
        output,
        Map.of());
  }

  private ServiceProcess(
      String name,
      List<String> program,
      @Nullable ClassArchive archive,
      Path output,
      Map<String, String> environment) {
    this.name = name;
    this.program = program;
    this.archive = archive;
    this.output = output;
    this.log = output.resolve(name + ".log");
    this.environment = new HashMap<>(environment);
    this.environment.put("QUARKUS_HTTP_HOST", HOST);
    this.environment.put("QUARKUS_HTTP_PORT", Integer.toString(port));
    this.environment.put("QUARKUS_MANAGEMENT_HOST", HOST);
    this.environment.put("QUARKUS_MANAGEMENT_PORT", Integer.toString(managementPort));
  }

  String name() {
    return name;
  }

  /** Another process of the same service, on other ports; it does not run yet. */
  ServiceProcess anotherReplica(String called) {
    return new ServiceProcess(called, program, archive, output, environment);
  }

  /** Where customers and operators call it. */
  String url() {
    return "http://%s:%d".formatted(HOST, port);
  }

  /** Where it tells how it is. */
  String managementUrl() {
    return "http://%s:%d".formatted(HOST, managementPort);
  }

  /**
   * Configures it otherwise than by default, from its next start on.
   *
   * @param settings in the environment, in place of those of before
   */
  synchronized void configure(Map<String, String> settings) {
    this.settings = Map.copyOf(settings);
  }

  /**
   * Starts it with the JVM options of its image for little memory; it is not ready yet. Does
   * nothing if it runs with them.
   */
  synchronized void startAsShipped() {
    List<String> small = Project.smallJvmOptions();
    if (!jvm.equals(small)) {
      kill();
      jvm = small;
    }
    start();
  }

  /** Starts it; it is not ready yet. Does nothing if it runs. */
  synchronized void start() {
    // An archive is good for the options that it was made with.
    start(archive != null && jvm.equals(JVM) ? archive.use() : List.of());
  }

  /** Starts it to make its archive; {@link #stop} it then, and have the archive kept. */
  synchronized void startToArchive(ClassArchive made) {
    start(made.make());
  }

  private void start(List<String> more) {
    if (isAlive()) {
      return;
    }
    List<String> command = new ArrayList<>(List.of(java()));
    command.addAll(jvm);
    command.addAll(more);
    command.addAll(program);
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(Redirect.appendTo(log.toFile()));
    builder.environment().putAll(environment);
    builder.environment().putAll(settings);
    try {
      Files.createDirectories(log.getParent());
      process = builder.start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Waits until it says that it is ready; fails at once if it has ended. */
  void awaitReady() {
    await(name + " is ready").atMost(READY_WITHIN).failFast(this::checkAlive).until(this::isReady);
  }

  /** Kills it as {@code kill -9} does: it gets to do nothing any more. */
  synchronized void kill() {
    if (process != null) {
      end(process.destroyForcibly());
    }
  }

  /** Stops it as {@code kill} does: it may bring to an end what it is at, in a few seconds. */
  synchronized void stop() {
    if (process != null) {
      process.destroy();
      end(process);
    }
  }

  private static void end(Process ending) {
    try {
      ending.waitFor();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  synchronized boolean isAlive() {
    return process != null && process.isAlive();
  }

  /** Of the process that runs. */
  synchronized long pid() {
    return running().pid();
  }

  /** The processor time that the process has used since its start; zero if it has ended. */
  synchronized Duration cpu() {
    return running().toHandle().info().totalCpuDuration().orElse(Duration.ZERO);
  }

  private Process running() {
    if (process == null) {
      throw hasEnded();
    }
    return process;
  }

  /** Where it writes what it has to say, from all of its starts. */
  Path log() {
    return log;
  }

  /** All that it has written so far. */
  List<String> written() {
    try {
      return new String(Files.readAllBytes(log), StandardCharsets.UTF_8).lines().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What it wrote last. */
  String logTail() {
    try {
      List<String> lines = written();
      List<String> last = lines.subList(Math.max(0, lines.size() - LOG_LINES), lines.size());
      return "--- the end of %s ---%n%s".formatted(log, String.join("\n", last));
    } catch (UncheckedIOException e) {
      return "--- %s cannot be read: %s ---".formatted(log, e);
    }
  }

  private void checkAlive() {
    if (!isAlive()) {
      throw hasEnded();
    }
  }

  private IllegalStateException hasEnded() {
    return new IllegalStateException("%s has ended%n%s".formatted(name, logTail()));
  }

  @Override
  public String toString() {
    return name;
  }

  /** Whether it says so now. */
  boolean isReady() {
    try {
      URI health = URI.create(managementUrl() + "/q/health/ready");
      HttpURLConnection connection = (HttpURLConnection) health.toURL().openConnection();
      connection.setConnectTimeout(1_000);
      connection.setReadTimeout(5_000);
      return connection.getResponseCode() == 200;
    } catch (IOException e) {
      return false;
    }
  }

  private static String java() {
    return Path.of(System.getProperty("java.home"), "bin", "java").toString();
  }
}
