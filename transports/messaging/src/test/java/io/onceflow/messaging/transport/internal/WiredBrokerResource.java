package io.onceflow.messaging.transport.internal;

import io.onceflow.inbox.Wire;
import io.onceflow.launcher.testing.ServersResource;
import io.onceflow.launcher.testing.TestServers;
import io.quarkus.test.common.QuarkusTestResourceLifecycleManager;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The test servers, and a wire to the broker that can be cut. */
public final class WiredBrokerResource implements QuarkusTestResourceLifecycleManager {

  private static @Nullable Wire wire;

  /** The wire of the application that runs. */
  static Wire wire() {
    return Objects.requireNonNull(wire, "no application runs with this resource");
  }

  @Override
  public Map<String, String> start() {
    ServersResource resource = new ServersResource();
    resource.init(Map.of("database", "orders"));
    Map<String, String> configuration = new HashMap<>(resource.start());
    TestServers servers = TestServers.shared();
    servers.startBroker();
    wire = new Wire(servers);
    configuration.put("rabbitmq-host", "localhost");
    configuration.put("rabbitmq-port", Integer.toString(wire().port()));
    configuration.put("rabbitmq-username", servers.brokerUser());
    configuration.put("rabbitmq-password", servers.password());
    configuration.put("rabbitmq-virtual-host", servers.brokerVirtualHost());
    return configuration;
  }

  @Override
  public void stop() {
    try {
      wire().close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
