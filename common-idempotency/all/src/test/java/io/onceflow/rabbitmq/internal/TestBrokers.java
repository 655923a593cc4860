package io.onceflow.rabbitmq.internal;

import io.onceflow.launcher.testing.TestServers;
import java.util.function.LongSupplier;
import org.eclipse.microprofile.health.HealthCheckResponse;

/** Connections to the tests' broker for tests of other packages. */
public final class TestBrokers {

  private TestBrokers() {}

  /** As a service connects, without TLS and with the right to declare. */
  public static BrokerConnection of(TestServers servers) {
    return of(servers, System::nanoTime);
  }

  /** As a service connects that sends no larger messages than these. */
  static BrokerConnection of(TestServers servers, int maxMessageSize) {
    return new BrokerConnection(
        BrokerTopology.DECLARED,
        new BundleRoutes(System::nanoTime),
        maxMessageSize,
        null,
        null,
        servers.brokerHost(),
        servers.brokerPort(),
        servers.brokerUser(),
        servers.password(),
        servers.brokerVirtualHost());
  }

  /** As a service connects, whose minutes a test decides. */
  static BrokerConnection of(TestServers servers, LongSupplier ticker) {
    return of(
        new BundleRoutes(ticker),
        servers.brokerHost(),
        servers.brokerPort(),
        servers.brokerUser(),
        servers.password(),
        servers.brokerVirtualHost());
  }

  /** Without TLS, and with the right to declare. */
  static BrokerConnection of(
      String host, int port, String user, String password, String virtualHost) {
    return of(new BundleRoutes(System::nanoTime), host, port, user, password, virtualHost);
  }

  private static BrokerConnection of(
      BundleRoutes routes,
      String host,
      int port,
      String user,
      String password,
      String virtualHost) {
    return new BrokerConnection(
        BrokerTopology.DECLARED,
        routes,
        1024 * 1024,
        null,
        null,
        host,
        port,
        user,
        password,
        virtualHost);
  }

  /** As a service tells how it is by this connection. */
  static HealthCheckResponse health(BrokerConnection connection) {
    BrokerHealth health = new BrokerHealth();
    health.watch(connection);
    return health.call();
  }

  public static void close(BrokerConnection broker) {
    broker.close();
  }

  /** By way of this port, where somebody passes things on to the broker. */
  public static BrokerConnection by(int port, TestServers servers) {
    return of(
        "localhost", port, servers.brokerUser(), servers.password(), servers.brokerVirtualHost());
  }
}
