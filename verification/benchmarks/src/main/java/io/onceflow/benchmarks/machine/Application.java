package io.onceflow.benchmarks.machine;

import io.onceflow.launcher.servers.Credentials;
import io.onceflow.launcher.servers.FreePorts;
import io.onceflow.launcher.stack.Home;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** A process of the application under test, with the JVM's default settings. */
public final class Application implements AutoCloseable {

  /** By which its sessions are found in the database. */
  static final String SESSIONS = "benchmark-application";

  private final URI url;
  private final BenchProcess process;

  private Application(URI url, BenchProcess process) {
    this.url = url;
    this.process = process;
  }

  /**
   * Starts one without waiting for it.
   *
   * @param name of its log
   * @param store what {@code onceflow.idempotency.store} is set to
   */
  public static Application start(Home home, String name, BenchBackends backends, String store)
      throws IOException {
    Path jar =
        home.root()
            .resolve("verification/benchmarks/application/target/quarkus-app/quarkus-run.jar");
    if (!Files.exists(jar)) {
      throw new IOException("%s is missing; ./onceflow bench builds it".formatted(jar));
    }
    URI url = URI.create("http://localhost:" + FreePorts.next());
    Map<String, String> environment =
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
            store);
    return new Application(
        url,
        BenchProcess.start(
            "The application", home.log(name), List.of("-jar", jar.toString()), environment));
  }

  /** Where it listens. */
  public URI url() {
    return url;
  }

  /** The processor time that it has used. */
  public Duration cpu() {
    return process.cpu();
  }

  /**
   * Returns when it is ready.
   *
   * @throws IOException when it ends instead, or takes too long; the message names its log
   */
  public void awaitReady() throws IOException, InterruptedException {
    process.awaitReady(url.resolve("/q/health/ready"));
  }

  @Override
  public void close() {
    process.close();
  }
}
