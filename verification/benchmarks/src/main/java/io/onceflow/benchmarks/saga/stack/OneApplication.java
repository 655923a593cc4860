package io.onceflow.benchmarks.saga.stack;

import io.onceflow.benchmarks.machine.BenchProcess;
import io.onceflow.launcher.servers.Credentials;
import io.onceflow.launcher.servers.FreePorts;
import io.onceflow.launcher.stack.Home;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The saga in one application, with one database and no use for a broker. */
public final class OneApplication implements OrderStack {

  /** What the JVM is called in reports. */
  private static final String JVM = "application";

  private static final String DATABASE = "orders";

  private final BenchServers servers;
  private final URI url;
  private final BenchProcess process;

  private OneApplication(BenchServers servers, URI url, BenchProcess process) {
    this.servers = servers;
    this.url = url;
    this.process = process;
  }

  /**
   * Starts it with as much memory and the collector that the other products have, and returns when
   * it is ready.
   *
   * @param servers are not closed with it
   * @param settings in its environment
   */
  public static OneApplication start(Home home, BenchServers servers, Map<String, String> settings)
      throws IOException, InterruptedException {
    Path jar =
        home.root()
            .resolve("verification/benchmarks/one-application/target/quarkus-app/quarkus-run.jar");
    if (!Files.exists(jar)) {
      throw new IOException("%s is missing; ./onceflow bench builds it".formatted(jar));
    }
    URI url = URI.create("http://localhost:" + FreePorts.next());
    BenchProcess process =
        BenchProcess.start(
            "The application",
            home.log("bench-one-application"),
            List.of("-Xmx768m", "-XX:+UseSerialGC", "-jar", jar.toString()),
            environment(servers, url, settings));
    try {
      process.awaitReady(url.resolve("/q/health/ready"));
      return new OneApplication(servers, url, process);
    } catch (IOException | InterruptedException e) {
      process.close();
      throw e;
    }
  }

  private static Map<String, String> environment(
      BenchServers servers, URI url, Map<String, String> settings) {
    Map<String, String> environment = new LinkedHashMap<>(settings);
    environment.put("QUARKUS_HTTP_HOST", "localhost");
    environment.put("QUARKUS_HTTP_PORT", Integer.toString(url.getPort()));
    environment.put("QUARKUS_DATASOURCE_JDBC_URL", servers.jdbcUrl(DATABASE));
    environment.put("QUARKUS_DATASOURCE_USERNAME", DATABASE);
    environment.put("QUARKUS_DATASOURCE_PASSWORD", Credentials.PASSWORD);
    return environment;
  }

  @Override
  public URI orders() {
    return url;
  }

  @Override
  public Connection connect(Table table) throws SQLException {
    return servers.connect(DATABASE);
  }

  @Override
  public BenchServers servers() {
    return servers;
  }

  @Override
  public Map<String, List<Long>> pids() {
    Map<String, List<Long>> pids = new LinkedHashMap<>();
    pids.put(JVM, List.of(process.pid()));
    List<Long> postgres = servers.pids().get(BenchServers.POSTGRES);
    if (postgres != null) {
      pids.put(BenchServers.POSTGRES, postgres);
    }
    return pids;
  }

  @Override
  public List<URI> metrics() {
    return List.of(url.resolve("/q/metrics"));
  }

  @Override
  public void close() {
    process.close();
  }
}
