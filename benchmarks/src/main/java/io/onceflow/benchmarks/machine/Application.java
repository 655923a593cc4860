package io.onceflow.benchmarks.machine;

import io.onceflow.quickstart.servers.Credentials;
import io.onceflow.quickstart.servers.FreePorts;
import io.onceflow.quickstart.stack.Home;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

/** A process of the application under test, with the JVM's default settings. */
public final class Application implements AutoCloseable {

  /** By which its sessions are found in the database. */
  static final String SESSIONS = "benchmark-application";

  private static final Duration READY_WITHIN = Duration.ofMinutes(2);
  private static final Duration ASK_EVERY = Duration.ofMillis(100);

  private final URI url;
  private final Process process;
  private final Path log;
  private final Thread whenKilled;

  private Application(URI url, Process process, Path log) {
    this.url = url;
    this.process = process;
    this.log = log;
    whenKilled = new Thread(process::destroyForcibly);
    Runtime.getRuntime().addShutdownHook(whenKilled);
  }

  /**
   * Starts one without waiting for it.
   *
   * @param name of its log
   * @param store what {@code onceflow.idempotency.store} is set to
   */
  public static Application start(Home home, String name, BenchBackends backends, String store)
      throws IOException {
    Path jar = home.root().resolve("benchmarks/application/target/quarkus-app/quarkus-run.jar");
    if (!Files.exists(jar)) {
      throw new IOException("%s is missing; ./onceflow bench builds it".formatted(jar));
    }
    URI url = URI.create("http://localhost:" + FreePorts.next());
    Path log = home.log(name);
    Files.createDirectories(log.getParent());
    ProcessBuilder builder =
        new ProcessBuilder(javaHere(), "-jar", jar.toString())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile());
    builder
        .environment()
        .putAll(
            Map.of(
                "QUARKUS_HTTP_HOST",
                "localhost",
                "QUARKUS_HTTP_PORT",
                Integer.toString(url.getPort()),
                "QUARKUS_DATASOURCE_JDBC_URL",
                backends.jdbcUrl() + "?ApplicationName=" + SESSIONS,
                "QUARKUS_DATASOURCE_USERNAME",
                BenchBackends.DATABASE,
                "QUARKUS_DATASOURCE_PASSWORD",
                Credentials.PASSWORD,
                "QUARKUS_REDIS_HOSTS",
                "redis://localhost:" + backends.redisPort(),
                "ONCEFLOW_IDEMPOTENCY_REDIS_INTEGRITY_KEY",
                "measured with, and no secret to any reader",
                "ONCEFLOW_IDEMPOTENCY_STORE",
                store));
    return new Application(url, builder.start(), log);
  }

  private static String javaHere() {
    return Path.of(System.getProperty("java.home"), "bin", "java").toString();
  }

  /** Where it listens. */
  public URI url() {
    return url;
  }

  /** The processor time that it has used. */
  public Duration cpu() {
    return process.info().totalCpuDuration().orElse(Duration.ZERO);
  }

  /**
   * Returns when it is ready.
   *
   * @throws IOException when it ends instead, or takes too long; the message names its log
   */
  public void awaitReady() throws IOException, InterruptedException {
    long giveUpAt = System.nanoTime() + READY_WITHIN.toNanos();
    while (!isReady()) {
      if (!process.isAlive() || System.nanoTime() - giveUpAt > 0) {
        throw new IOException("The application does not get ready; its log: " + log);
      }
      Thread.sleep(ASK_EVERY);
    }
  }

  private boolean isReady() {
    try {
      HttpURLConnection health =
          (HttpURLConnection) url.resolve("/q/health/ready").toURL().openConnection();
      health.setConnectTimeout(1_000);
      health.setReadTimeout(5_000);
      return health.getResponseCode() == 200;
    } catch (IOException e) {
      return false;
    }
  }

  @Override
  public void close() {
    process.destroyForcibly();
    process.onExit().join();
    Runtime.getRuntime().removeShutdownHook(whenKilled);
  }
}
