package io.onceflow.rabbitmq.internal;

import io.onceflow.quickstart.testing.TestServers;
import java.util.function.LongSupplier;

/** Connections to the tests' broker for tests of other packages. */
public final class TestBrokers {

  private TestBrokers() {}

  /** As a service connects, without TLS and with the right to declare. */
  public static BrokerConnection of(TestServers servers) {
    return new BrokerConnection(
        servers.brokerHost(),
        servers.brokerPort(),
        servers.brokerUser(),
        servers.password(),
        servers.brokerVirtualHost());
  }

  /** As a service connects, whose minutes a test decides. */
  static BrokerConnection of(TestServers servers, LongSupplier ticker) {
    return new BrokerConnection(
        new BundleRoutes(ticker),
        servers.brokerHost(),
        servers.brokerPort(),
        servers.brokerUser(),
        servers.password(),
        servers.brokerVirtualHost());
  }

  public static void close(BrokerConnection broker) {
    broker.close();
  }

  /** By way of this port, where somebody passes things on to the broker. */
  public static BrokerConnection by(int port, TestServers servers) {
    return new BrokerConnection(
        "localhost", port, servers.brokerUser(), servers.password(), servers.brokerVirtualHost());
  }
}
