package io.onceflow.benchmarks.saga.stack;

import com.fasterxml.jackson.databind.JsonNode;
import io.onceflow.benchmarks.machine.BenchProcess;
import io.onceflow.benchmarks.machine.RunningService;
import io.onceflow.launcher.servers.Credentials;
import io.onceflow.launcher.servers.FreePorts;
import io.onceflow.launcher.stack.Home;
import io.onceflow.launcher.stack.Service;
import io.onceflow.launcher.stack.ServiceJvm;
import io.onceflow.launcher.stack.ServicesFile;
import io.onceflow.launcher.token.KeyFiles;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The servers and the three services, as {@code ./onceflow up} runs them: each a process with the
 * settings it comes with. Or, to compare, each a container.
 */
public final class SagaStack implements OrderStack {

  private static final String PACKAGED = "quarkus-app";

  private static final String ORDERS = "order-service";

  private final Home home;
  private final BenchServers servers;
  private final Map<String, String> settings;
  private final List<Service> services;
  private final String packaged;
  private final @Nullable JsonNode compose;
  private final Map<String, RunningService> processes = new LinkedHashMap<>();
  private final Map<String, Duration> startUps = new LinkedHashMap<>();
  private final Map<String, List<Long>> pids = new LinkedHashMap<>();

  private SagaStack(
      Home home,
      BenchServers servers,
      Map<String, String> settings,
      String packaged,
      @Nullable JsonNode compose)
      throws IOException {
    this.packaged = packaged;
    this.home = home;
    this.compose = compose;
    this.servers = servers;
    this.settings = Map.copyOf(settings);
    this.services =
        ServicesFile.read(home.services()).stream()
            .map(service -> service.on(FreePorts.next(), FreePorts.next()))
            .toList();
  }

  /**
   * Starts the services and returns when all are ready.
   *
   * <p>They start one after the other: so each start-up time is the service's own.
   *
   * @param home where the services were built
   * @param servers are not closed with this stack
   */
  public static SagaStack start(Home home, BenchServers servers)
      throws IOException, InterruptedException {
    return start(home, servers, Map.of());
  }

  /**
   * The same with some settings otherwise than they come.
   *
   * @param settings in the environment of each service
   */
  public static SagaStack start(Home home, BenchServers servers, Map<String, String> settings)
      throws IOException, InterruptedException {
    return start(home, servers, settings, PACKAGED);
  }

  /**
   * The same as they were packaged for another transport.
   *
   * @param packaged the folder beside {@code target/quarkus-app}
   */
  public static SagaStack start(
      Home home, BenchServers servers, Map<String, String> settings, String packaged)
      throws IOException, InterruptedException {
    return start(home, servers, settings, packaged, null);
  }

  /**
   * The same in containers of the images that were built, with the bounds that they have in Docker
   * Compose, on this machine's own network.
   *
   * @param compose what {@link ServiceImage#compose} reads
   */
  public static SagaStack startInContainers(
      Home home, BenchServers servers, Map<String, String> settings, JsonNode compose)
      throws IOException, InterruptedException {
    return start(home, servers, settings, PACKAGED, compose);
  }

  private static SagaStack start(
      Home home,
      BenchServers servers,
      Map<String, String> settings,
      String packaged,
      @Nullable JsonNode compose)
      throws IOException, InterruptedException {
    new KeyFiles(home.keys()).create();
    SagaStack stack = new SagaStack(home, servers, settings, packaged, compose);
    try {
      for (Service service : stack.services) {
        stack.start(service);
      }
      return stack;
    } catch (IOException | InterruptedException | RuntimeException e) {
      stack.close();
      throw e;
    }
  }

  private void start(Service service) throws IOException, InterruptedException {
    RunningService process = compose == null ? process(service) : container(service, compose);
    processes.put(service.name(), process);
    startUps.put(
        service.name(), process.awaitReady(management(service).resolve("/q/health/ready")));
    pids.put(service.name(), List.of(process.pid()));
  }

  private RunningService process(Service service) throws IOException {
    Path app = service.jar().getParent();
    Path jar = app.resolveSibling(packaged).resolve(service.jar().getFileName());
    if (!Files.exists(jar)) {
      throw new IOException("%s is missing; ./onceflow bench builds it".formatted(jar));
    }
    return BenchProcess.start(
        service.name(),
        home.log("bench-" + service.name()),
        Stream.concat(
                ServiceJvm.options(service.name()).stream(), Stream.of("-jar", jar.toString()))
            .toList(),
        environment(service));
  }

  private RunningService container(Service service, JsonNode compose) throws IOException {
    String name = "onceflow-bench-" + service.name();
    return ServiceContainer.start(
        name,
        ServiceImage.of(compose, service.name()),
        home.log("container-" + name),
        environment(service),
        publicKey());
  }

  private Path publicKey() {
    return home.keys().resolve("publicKey.pem");
  }

  private Map<String, String> environment(Service service) {
    Map<String, String> environment = new LinkedHashMap<>(addresses(service));
    environment.putAll(servers.brokerSettings());
    environment.putAll(settings);
    return environment;
  }

  private Map<String, String> addresses(Service service) {
    String database = service.database();
    return Map.ofEntries(
        Map.entry("QUARKUS_HTTP_HOST", "localhost"),
        Map.entry("QUARKUS_HTTP_PORT", Integer.toString(service.port())),
        Map.entry("QUARKUS_MANAGEMENT_HOST", "localhost"),
        Map.entry("QUARKUS_MANAGEMENT_PORT", Integer.toString(service.managementPort())),
        Map.entry(
            "QUARKUS_DATASOURCE_JDBC_URL",
            servers.jdbcUrl(database) + "?ApplicationName=" + service.name()),
        Map.entry("QUARKUS_DATASOURCE_USERNAME", database),
        Map.entry("QUARKUS_DATASOURCE_PASSWORD", Credentials.PASSWORD),
        Map.entry("ONCEFLOW_SAGAS_URL", orders().toString()),
        Map.entry("MP_JWT_VERIFY_PUBLICKEY_LOCATION", publicKey().toString()));
  }

  @Override
  public URI orders() {
    return services.stream()
        .filter(service -> service.name().equals(ORDERS))
        .map(service -> URI.create("http://localhost:" + service.port()))
        .findAny()
        .orElseThrow();
  }

  private static URI management(Service service) {
    return URI.create("http://localhost:" + service.managementPort());
  }

  @Override
  public List<URI> metrics() {
    return services.stream().map(it -> management(it).resolve("/q/metrics")).toList();
  }

  @Override
  public Connection connect(Table table) throws SQLException {
    return servers.connect(
        switch (table) {
          case ORDERS -> "orders";
          case PAYMENT -> "payments";
          case SHIPMENT -> "shipping";
        });
  }

  @Override
  public BenchServers servers() {
    return servers;
  }

  /** From a service's start until it was ready, by its name. */
  public Map<String, Duration> startUps() {
    return Collections.unmodifiableMap(startUps);
  }

  @Override
  public Map<String, List<Long>> pids() {
    Map<String, List<Long>> all = new LinkedHashMap<>(pids);
    all.putAll(servers.pids());
    return all;
  }

  @Override
  public void close() {
    List<Thread> closing = new ArrayList<>();
    processes.values().forEach(it -> closing.add(Thread.ofVirtual().start(it::close)));
    for (Thread thread : closing) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
