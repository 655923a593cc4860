package io.onceflow.launcher.testing;

import io.onceflow.launcher.servers.Credentials;
import io.onceflow.launcher.token.Tokens;
import io.quarkus.test.common.QuarkusTestResourceLifecycleManager;
import java.util.HashMap;
import java.util.Map;

/**
 * Gives a service under {@code @QuarkusTest} the shared {@link TestServers}, and the key by which it
 * knows {@link TestTokens}. With the argument {@code redis=true} it gets a Redis too.
 *
 * <pre>{@code
 * @QuarkusTest
 * @WithTestResource(
 *     value = ServersResource.class,
 *     initArgs = @ResourceArg(name = "database", value = "orders"))
 * class OrdersTest {
 * }</pre>
 */
public final class ServersResource implements QuarkusTestResourceLifecycleManager {

  private String database = "";
  private boolean wantsRedis;

  @Override
  public void init(Map<String, String> arguments) {
    database = arguments.getOrDefault("database", "");
    wantsRedis = Boolean.parseBoolean(arguments.getOrDefault("redis", "false"));
    if (!Credentials.DATABASES.contains(database)) {
      throw new IllegalArgumentException(
          "ServersResource needs the argument database, one of " + Credentials.DATABASES);
    }
  }

  @Override
  public Map<String, String> start() {
    TestServers servers = TestServers.shared();
    // A test class before this one may have ended while the broker was stopped.
    servers.startBroker();
    Map<String, String> configuration = new HashMap<>();
    if (wantsRedis) {
      configuration.put("quarkus.redis.hosts", servers.redisUrl());
    }
    configuration.putAll(configuration(servers));
    return configuration;
  }

  private Map<String, String> configuration(TestServers servers) {
    return Map.ofEntries(
        Map.entry("quarkus.datasource.jdbc.url", servers.jdbcUrl(database)),
        Map.entry("quarkus.datasource.username", servers.user(database)),
        Map.entry("quarkus.datasource.password", servers.password()),
        Map.entry("rabbitmq-host", servers.brokerHost()),
        Map.entry("rabbitmq-port", Integer.toString(servers.brokerPort())),
        Map.entry("rabbitmq-username", servers.brokerUser()),
        Map.entry("rabbitmq-password", servers.password()),
        Map.entry("rabbitmq-virtual-host", servers.brokerVirtualHost()),
        Map.entry("mp.jwt.verify.publickey", TestTokens.publicKey()),
        Map.entry("mp.jwt.verify.issuer", Tokens.ISSUER));
  }

  /** Leaves the servers to the next test class; they stop with the JVM. */
  @Override
  public void stop() {}
}
