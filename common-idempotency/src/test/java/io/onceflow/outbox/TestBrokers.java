package io.onceflow.outbox;

import io.onceflow.quickstart.testing.TestServers;

/** Connections to the tests' broker for tests of other packages. */
public final class TestBrokers {

  private TestBrokers() {}

  /** By way of this port, where somebody passes things on to the broker. */
  public static BrokerConnection by(int port, TestServers servers) {
    return new BrokerConnection(
        "localhost", port, servers.brokerUser(), servers.password(), servers.brokerVirtualHost());
  }
}
