package com.example.points;

import io.onceflow.launcher.testing.TestServers;
import io.quarkus.test.QuarkusUnitTest;

/** The application of these tests, on the tests' servers. */
final class PointsApplication {

  /** The broker of the tests is a new one after a restart. */
  static final String[] QUEUES = {"orders", "visits", "returns", "closures"};

  private PointsApplication() {}

  /** Its orders and visits are on Kafka. */
  static QuarkusUnitTest onKafka() {
    KafkaBroker kafka = KafkaBroker.start();
    kafka.create(3, QUEUES);
    return of("points")
        .overrideConfigKey("quarkus.messaging.auto-connector-attachment", "false")
        .overrideConfigKey("mp.messaging.incoming.orders.connector", "smallrye-kafka")
        .overrideConfigKey("mp.messaging.incoming.visits.connector", "smallrye-kafka")
        .overrideConfigKey("mp.messaging.incoming.returns.connector", "smallrye-kafka")
        .overrideConfigKey("mp.messaging.incoming.closures.connector", "smallrye-kafka")
        .overrideRuntimeConfigKey("kafka.bootstrap.servers", kafka.address())
        .setAfterAllCustomizer(kafka::close);
  }

  /** Its channels are on RabbitMQ, or on Qpid in its place. */
  static QuarkusUnitTest onRabbitMq() {
    TestServers servers = TestServers.shared();
    servers.startBroker();
    try (Amqp broker = new Amqp()) {
      broker.declare(QUEUES);
    } catch (Exception e) {
      throw new IllegalStateException("the queues were not made", e);
    }
    QuarkusUnitTest application =
        of("points_on_rabbitmq")
            .overrideConfigKey("quarkus.messaging.auto-connector-attachment", "false")
            .overrideRuntimeConfigKey("rabbitmq-host", servers.brokerHost())
            .overrideRuntimeConfigKey("rabbitmq-port", Integer.toString(servers.brokerPort()))
            .overrideRuntimeConfigKey("rabbitmq-username", servers.brokerUser())
            .overrideRuntimeConfigKey("rabbitmq-password", servers.password());
    for (String channel : QUEUES) {
      String prefix = "mp.messaging.incoming." + channel;
      application
          .overrideConfigKey(prefix + ".connector", "smallrye-rabbitmq")
          .overrideRuntimeConfigKey(prefix + ".queue.name", channel)
          .overrideRuntimeConfigKey(prefix + ".queue.declare", "false")
          .overrideRuntimeConfigKey(prefix + ".exchange.declare", "false")
          .overrideRuntimeConfigKey(prefix + ".exchange.name", "\"\"");
    }
    return application;
  }

  /** Without its channels. */
  static QuarkusUnitTest of(String database) {
    TestServers servers = TestServers.shared();
    servers.createDatabase(database);
    return new QuarkusUnitTest()
        .overrideConfigKey("quarkus.application.name", "points")
        .overrideConfigKey("quarkus.devservices.enabled", "false")
        .overrideRuntimeConfigKey("quarkus.http.test-port", "0")
        .overrideConfigKey("onceflow.transport", "local")
        .overrideRuntimeConfigKey("quarkus.datasource.jdbc.url", servers.jdbcUrl(database))
        .overrideRuntimeConfigKey("quarkus.datasource.username", servers.user(database))
        .overrideRuntimeConfigKey("quarkus.datasource.password", servers.password())
        .withApplicationRoot(
            jar ->
                jar.addPackage(PointsApplication.class.getPackage())
                    .addAsResource(
                        "V1__create_account.sql", "db/migration/V1__create_account.sql"));
  }
}
