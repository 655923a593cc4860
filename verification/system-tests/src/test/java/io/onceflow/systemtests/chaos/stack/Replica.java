package io.onceflow.systemtests.chaos.stack;

import io.onceflow.systemtests.Ports;
import io.onceflow.systemtests.Project;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One of a service's processes, which connects to PostgreSQL and to the broker through its own
 * proxies.
 */
public final class Replica {

  private static final String HOST = "127.0.0.1";

  private final String service;
  private final String name;
  private final Path log;
  private final Path archive;
  private final int port = Ports.next();
  private final int managementPort = Ports.next();
  private final Map<String, String> environment;
  private final Proxy toDatabase;
  private final Proxy toBroker;
  private @Nullable Process process;
  private boolean frozen;
  private boolean stopped;

  /**
   * @param number 1 or 2
   * @param folder for its log, and for what the JVM keeps for its next start
   * @param settings for its environment
   */
  Replica(String service, int number, Backends backends, Path folder, Map<String, String> settings)
      throws IOException {
    this.service = service;
    this.name = "%s-%d".formatted(service.replace("-service", ""), number);
    this.log = folder.resolve("logs").resolve(name + ".log");
    this.archive = folder.resolve(service + ".jsa");
    this.toDatabase = new Proxy(backends.databasePort());
    this.toBroker = backends.proxyToBroker();
    this.environment = new HashMap<>(settings);
    environment.put("QUARKUS_HTTP_HOST", HOST);
    environment.put("QUARKUS_HTTP_PORT", Integer.toString(port));
    environment.put("QUARKUS_MANAGEMENT_HOST", HOST);
    environment.put("QUARKUS_MANAGEMENT_PORT", Integer.toString(managementPort));
    environment.putAll(backends.brokerSettings(toBroker));
    environment.computeIfPresent(
        "QUARKUS_DATASOURCE_JDBC_URL",
        (key, database) ->
            "jdbc:postgresql://%s:%d/%s".formatted(HOST, toDatabase.port(), database));
  }

  /** More of its environment, from its next start on. */
  synchronized void configure(Map<String, String> settings) {
    environment.putAll(settings);
  }

  /** Such as {@code payment-2}. */
  public String name() {
    return name;
  }

  /** Its module. */
  public String service() {
    return service;
  }

  /** Where it is called. */
  public String url() {
    return "http://%s:%d".formatted(HOST, port);
  }

  /** Between it and PostgreSQL. */
  public Proxy toDatabase() {
    return toDatabase;
  }

  /** Between it and the broker. */
  public Proxy toBroker() {
    return toBroker;
  }

  /**
   * Starts it; it is not ready yet. Does nothing if it runs.
   *
   * @param more environment for this start only
   * @return whether it did not run
   */
  public synchronized boolean start(Map<String, String> more) throws IOException {
    return start(Project.jar(service), archive, more);
  }

  /**
   * Starts another version of it; it is not ready yet. Does nothing if it runs.
   *
   * @param checkout where that version was built
   */
  public synchronized void startVersionOf(Path checkout) throws IOException {
    start(Project.jar(checkout, service), archive.resolveSibling(service + "-other.jsa"), Map.of());
  }

  private boolean start(Path jar, Path archive, Map<String, String> more) throws IOException {
    if (isAlive()) {
      return false;
    }
    ProcessBuilder builder =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:+UseSerialGC",
                // It will not live for long: what takes time to pay off never does.
                "-XX:TieredStopAtLevel=1",
                // It is started very often. Made by the first one that is stopped, not killed.
                "-XX:+AutoCreateSharedArchive",
                "-XX:SharedArchiveFile=" + archive,
                "-jar",
                jar.toString())
            .redirectErrorStream(true)
            .redirectOutput(Redirect.appendTo(log.toFile()));
    builder.environment().putAll(environment);
    builder.environment().putAll(more);
    process = builder.start();
    frozen = false;
    stopped = false;
    return true;
  }

  /** Kills it as {@code kill -9} does. */
  public synchronized void kill() throws InterruptedException {
    stopped = true;
    if (process != null) {
      process.destroyForcibly().waitFor();
    }
  }

  /** Stops it as {@code kill} does, and waits until it has ended. */
  public synchronized void stop() throws InterruptedException {
    stopped = true;
    if (process != null) {
      process.destroy();
      process.waitFor();
    }
  }

  /**
   * Starts it again if it has ended by itself, as a process that loses its database while it starts
   * does; elsewhere Docker or Kubernetes sees to that.
   */
  public synchronized void supervise() throws IOException {
    if (process != null && !stopped) {
      start(Map.of());
    }
  }

  /** Has it stand still: SIGSTOP. */
  public synchronized void freeze() throws IOException, InterruptedException {
    if (process != null && isAlive()) {
      Signals.send("STOP", process.pid());
      frozen = true;
    }
  }

  /** Lets it go on: SIGCONT. */
  public synchronized void thaw() throws IOException, InterruptedException {
    if (process != null && frozen) {
      Signals.send("CONT", process.pid());
      frozen = false;
    }
  }

  /** Whether it runs, be it frozen. */
  public synchronized boolean isAlive() {
    return process != null && process.isAlive();
  }

  /** Whether it says that it is ready. */
  public boolean isReady() {
    try {
      URI health = URI.create("http://%s:%d/q/health/ready".formatted(HOST, managementPort));
      HttpURLConnection connection = (HttpURLConnection) health.toURL().openConnection();
      connection.setConnectTimeout(500);
      connection.setReadTimeout(2_000);
      return connection.getResponseCode() == 200;
    } catch (IOException e) {
      return false;
    }
  }

  /** Kills it, and takes its proxies away. */
  void end() throws IOException, InterruptedException {
    kill();
    toDatabase.close();
    toBroker.close();
  }

  @Override
  public String toString() {
    return name;
  }
}
