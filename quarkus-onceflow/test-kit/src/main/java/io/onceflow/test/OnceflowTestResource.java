package io.onceflow.test;

import io.onceflow.launcher.testing.TestServers;
import io.quarkus.test.common.QuarkusTestResourceLifecycleManager;
import java.util.HashMap;
import java.util.Map;

/**
 * Gives an application under {@code @QuarkusTest} a PostgreSQL: in a container where a Docker
 * engine answers, else from embedded binaries. Nothing has to be installed.
 *
 * <pre>{@code
 * @QuarkusTest
 * @WithTestResource(OnceflowTestResource.class)
 * class BookTripTest {
 * }
 * }</pre>
 *
 * <p>The argument {@code database} names the database ({@code application} by default). With {@code
 * broker=true} the application gets a broker as well; without it, it runs on {@code
 * onceflow.transport=local}.
 */
public final class OnceflowTestResource implements QuarkusTestResourceLifecycleManager {

  private String database = "application";
  private boolean wantsBroker;

  @Override
  public void init(Map<String, String> arguments) {
    database = arguments.getOrDefault("database", database);
    wantsBroker = Boolean.parseBoolean(arguments.getOrDefault("broker", "false"));
  }

  @Override
  public Map<String, String> start() {
    TestServers servers = TestServers.shared();
    servers.createDatabase(database);
    Map<String, String> configuration = new HashMap<>();
    configuration.put("quarkus.datasource.jdbc.url", servers.jdbcUrl(database));
    configuration.put("quarkus.datasource.username", servers.user(database));
    configuration.put("quarkus.datasource.password", servers.password());
    if (wantsBroker) {
      configuration.putAll(broker(servers));
    }
    return configuration;
  }

  private static Map<String, String> broker(TestServers servers) {
    // A test class before this one may have ended while the broker was stopped.
    servers.startBroker();
    return Map.of(
        "rabbitmq-host", servers.brokerHost(),
        "rabbitmq-port", Integer.toString(servers.brokerPort()),
        "rabbitmq-username", servers.brokerUser(),
        "rabbitmq-password", servers.password(),
        "rabbitmq-virtual-host", servers.brokerVirtualHost());
  }

  /** Leaves the servers to the next test class; they stop with the JVM. */
  @Override
  public void stop() {}
}
