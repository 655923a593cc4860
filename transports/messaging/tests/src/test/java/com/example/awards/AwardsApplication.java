package com.example.awards;

import com.example.points.Amqp;
import com.example.points.KafkaBroker;
import com.example.points.KafkaControl;
import io.onceflow.launcher.testing.TestServers;
import io.quarkus.test.QuarkusUnitTest;

/** An application that sends by channels what its transactions have decided. */
final class AwardsApplication {

  /** The broker of the tests is a new one after a restart. */
  static final String[] QUEUES = {"purchases", "points-awarded"};

  private AwardsApplication() {}

  /** On Kafka alone. */
  static QuarkusUnitTest onKafka(KafkaBroker kafka, String database) {
    kafka.create(3, "purchases", "points-awarded");
    return of(database)
        .overrideConfigKey("quarkus.messaging.auto-connector-attachment", "false")
        .overrideConfigKey("mp.messaging.incoming.purchases.connector", "smallrye-kafka")
        .overrideConfigKey("mp.messaging.incoming.awards.connector", "smallrye-kafka")
        .overrideRuntimeConfigKey("mp.messaging.incoming.awards.topic", "points-awarded")
        .overrideConfigKey("mp.messaging.outgoing.points-awarded.connector", "smallrye-kafka")
        .overrideRuntimeConfigKey("kafka.bootstrap.servers", kafka.address())
        .withApplicationRoot(
            jar ->
                jar.addClasses(
                        Awards.class,
                        Balances.class,
                        Congratulations.class,
                        Grants.class,
                        KafkaBroker.class,
                        KafkaControl.class,
                        PointsAwarded.class,
                        Purchase.class,
                        AwardsApplication.class)
                    .addAsResource(
                        "V1__create_account.sql", "db/migration/V1__create_account.sql"));
  }

  /** On RabbitMQ alone, or on Qpid in its place. */
  static QuarkusUnitTest onRabbitMq(String database) {
    TestServers servers = TestServers.shared();
    servers.startBroker();
    try (Amqp broker = new Amqp()) {
      broker.declare(QUEUES);
    } catch (Exception e) {
      throw new IllegalStateException("the queues were not made", e);
    }
    QuarkusUnitTest application =
        of(database)
            .overrideConfigKey("quarkus.messaging.auto-connector-attachment", "false")
            .overrideConfigKey(
                "mp.messaging.outgoing.points-awarded.connector", "smallrye-rabbitmq")
            .overrideRuntimeConfigKey("mp.messaging.outgoing.points-awarded.exchange.name", "\"\"")
            .overrideRuntimeConfigKey(
                "mp.messaging.outgoing.points-awarded.exchange.declare", "false")
            .overrideRuntimeConfigKey(
                "mp.messaging.outgoing.points-awarded.default-routing-key", "points-awarded")
            .overrideRuntimeConfigKey("rabbitmq-host", servers.brokerHost())
            .overrideRuntimeConfigKey("rabbitmq-port", Integer.toString(servers.brokerPort()))
            .overrideRuntimeConfigKey("rabbitmq-username", servers.brokerUser())
            .overrideRuntimeConfigKey("rabbitmq-password", servers.password());
    read(application, "purchases", "purchases");
    read(application, "awards", "points-awarded");
    return application.withApplicationRoot(
        jar ->
            jar.addClasses(
                    Amqp.class,
                    Awards.class,
                    Balances.class,
                    Congratulations.class,
                    Grants.class,
                    PointsAwarded.class,
                    Purchase.class,
                    AwardsApplication.class)
                .addAsResource("V1__create_account.sql", "db/migration/V1__create_account.sql"));
  }

  private static void read(QuarkusUnitTest application, String channel, String queue) {
    String prefix = "mp.messaging.incoming." + channel;
    application
        .overrideConfigKey(prefix + ".connector", "smallrye-rabbitmq")
        .overrideRuntimeConfigKey(prefix + ".queue.name", queue)
        .overrideRuntimeConfigKey(prefix + ".queue.declare", "false")
        .overrideRuntimeConfigKey(prefix + ".exchange.declare", "false")
        .overrideRuntimeConfigKey(prefix + ".exchange.name", "\"\"");
  }

  /** By a connector that the test plays. */
  static QuarkusUnitTest onWire(String database) {
    return of(database)
        .overrideConfigKey("quarkus.messaging.auto-connector-attachment", "false")
        .overrideConfigKey("mp.messaging.outgoing.points-awarded.connector", "wire")
        .withApplicationRoot(
            jar ->
                jar.addClasses(
                        Balances.class,
                        Grants.class,
                        PointsAwarded.class,
                        Wire.class,
                        WireAttributes.class,
                        AwardsApplication.class)
                    .addAsResource(
                        "V1__create_account.sql", "db/migration/V1__create_account.sql"));
  }

  /** Its channel is in no configuration. */
  static QuarkusUnitTest withoutConnector(String database) {
    return of(database)
        .overrideConfigKey("quarkus.messaging.auto-connector-attachment", "false")
        .withApplicationRoot(
            jar ->
                jar.addClasses(
                        Balances.class, Grants.class, PointsAwarded.class, AwardsApplication.class)
                    .addAsResource(
                        "V1__create_account.sql", "db/migration/V1__create_account.sql"));
  }

  private static QuarkusUnitTest of(String database) {
    TestServers servers = TestServers.shared();
    servers.createDatabase(database);
    return new QuarkusUnitTest()
        .overrideConfigKey("quarkus.application.name", "awards")
        .overrideConfigKey("quarkus.devservices.enabled", "false")
        .overrideRuntimeConfigKey("quarkus.http.test-port", "0")
        .overrideConfigKey("onceflow.transport", "local")
        .overrideRuntimeConfigKey("quarkus.datasource.jdbc.url", servers.jdbcUrl(database))
        .overrideRuntimeConfigKey("quarkus.datasource.username", servers.user(database))
        .overrideRuntimeConfigKey("quarkus.datasource.password", servers.password());
  }
}
