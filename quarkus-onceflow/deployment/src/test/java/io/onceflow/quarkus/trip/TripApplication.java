package io.onceflow.quarkus.trip;

import io.onceflow.launcher.testing.TestServers;
import io.quarkus.test.QuarkusUnitTest;

/** An application of tests, on the tests' servers. */
public final class TripApplication {

  private TripApplication() {}

  public static QuarkusUnitTest on(String database) {
    TestServers servers = TestServers.shared();
    return new QuarkusUnitTest()
        .overrideConfigKey("quarkus.application.name", "trips")
        .overrideConfigKey("quarkus.devservices.enabled", "false")
        .overrideRuntimeConfigKey("quarkus.datasource.jdbc.url", servers.jdbcUrl(database))
        .overrideRuntimeConfigKey("quarkus.datasource.username", servers.user(database))
        .overrideRuntimeConfigKey("quarkus.datasource.password", servers.password())
        .overrideRuntimeConfigKey("rabbitmq-host", servers.brokerHost())
        .overrideRuntimeConfigKey("rabbitmq-port", Integer.toString(servers.brokerPort()))
        .overrideRuntimeConfigKey("rabbitmq-username", servers.brokerUser())
        .overrideRuntimeConfigKey("rabbitmq-password", servers.password());
  }
}
