package io.onceflow.systemtests;

import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.testcontainers.containers.Container.ExecResult;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.wait.strategy.Wait;
import org.testcontainers.lifecycle.Startables;
import org.testcontainers.utility.DockerImageName;
import org.testcontainers.utility.MountableFile;

/**
 * The services as in production: each with a separate user of database and broker that has only the
 * permissions it needs, created by the scripts in {@code deploy}, and an issuer that publishes its
 * keys.
 */
final class GuardedStack implements AutoCloseable {

  static final String ADMINISTRATOR = "administrator";
  private static final int POSTGRES_PORT = 5432;
  private static final int AMQP_PORT = 5672;
  private static final Duration STARTUP_TIMEOUT = Duration.ofMinutes(3);

  private final GenericContainer<?> postgres = postgres();
  private final GenericContainer<?> rabbit = rabbit();
  private final KeySet issuer = new KeySet();
  private final List<ServiceProcess> services;

  GuardedStack() {
    issuer.publish("first");
    Startables.deepStart(postgres, rabbit).join();
    for (String file : List.of("definitions.sh", "definitions.json")) {
      MountableFile part = MountableFile.forHostPath(Project.file("deploy/rabbitmq/" + file));
      rabbit.copyFileToContainer(part, "/onceflow/" + file);
    }
    importDefinitions();
    services =
        List.of(
            service("order-service", "orders"),
            service("payment-service", "payments"),
            service("shipping-service", "shipping"));
  }

  /** As an administrator does. */
  void importDefinitions() {
    inBroker(
        "env",
        "BROKER_ADMINISTRATOR=" + ADMINISTRATOR,
        "BROKER_ADMINISTRATOR_PASSWORD=" + password(ADMINISTRATOR),
        "ORDER_SERVICE_PASSWORD=" + password("order-service"),
        "PAYMENT_SERVICE_PASSWORD=" + password("payment-service"),
        "SHIPPING_SERVICE_PASSWORD=" + password("shipping-service"),
        "bash",
        "/onceflow/definitions.sh",
        "import");
  }

  /** Compares the broker with what was imported; throws where they differ. */
  void checkDefinitions() {
    inBroker("bash", "/onceflow/definitions.sh", "check");
  }

  private static GenericContainer<?> postgres() {
    MountableFile script =
        MountableFile.forHostPath(Project.file("deploy/postgres/create-databases.sh"), 0755);
    return new GenericContainer<>(DockerImageName.parse("postgres:17"))
        .withExposedPorts(POSTGRES_PORT)
        .withEnv("POSTGRES_USER", ADMINISTRATOR)
        .withEnv("POSTGRES_DB", "postgres")
        .withEnv("POSTGRES_PASSWORD", password(ADMINISTRATOR))
        .withEnv("ORDERS_PASSWORD", password("orders"))
        .withEnv("PAYMENTS_PASSWORD", password("payments"))
        .withEnv("SHIPPING_PASSWORD", password("shipping"))
        .withEnv("ORDERS_MIGRATIONS_PASSWORD", password("orders_migrations"))
        .withEnv("PAYMENTS_MIGRATIONS_PASSWORD", password("payments_migrations"))
        .withEnv("SHIPPING_MIGRATIONS_PASSWORD", password("shipping_migrations"))
        .withCopyFileToContainer(script, "/docker-entrypoint-initdb.d/create-databases.sh")
        .withCommand("postgres", "-c", "max_connections=200")
        .waitingFor(Wait.forLogMessage(".*database system is ready to accept connections.*", 2))
        .withStartupTimeout(STARTUP_TIMEOUT);
  }

  private static GenericContainer<?> rabbit() {
    return new GenericContainer<>(DockerImageName.parse("rabbitmq:4-management"))
        .withExposedPorts(AMQP_PORT)
        .withEnv("RABBITMQ_DEFAULT_USER", ADMINISTRATOR)
        .withEnv("RABBITMQ_DEFAULT_PASS", password(ADMINISTRATOR))
        .waitingFor(Wait.forLogMessage(".*Server startup complete.*", 1))
        .withStartupTimeout(STARTUP_TIMEOUT);
  }

  /** A different password for each user, so that none can log in as another. */
  static String password(String user) {
    return "of \"" + user + "\" alone";
  }

  private ServiceProcess service(String name, String database) {
    Path output = Project.output().resolve("guarded");
    return new ServiceProcess(
        name,
        output,
        Map.ofEntries(
            Map.entry("QUARKUS_DATASOURCE_JDBC_URL", jdbcUrl(database)),
            Map.entry("QUARKUS_DATASOURCE_USERNAME", database),
            Map.entry("QUARKUS_DATASOURCE_PASSWORD", password(database)),
            Map.entry("QUARKUS_FLYWAY_USERNAME", database + "_migrations"),
            Map.entry("QUARKUS_FLYWAY_PASSWORD", password(database + "_migrations")),
            Map.entry("RABBITMQ_HOST", rabbit.getHost()),
            Map.entry("RABBITMQ_PORT", Integer.toString(rabbit.getMappedPort(AMQP_PORT))),
            Map.entry("RABBITMQ_USERNAME", name),
            Map.entry("RABBITMQ_PASSWORD", password(name)),
            Map.entry("MP_JWT_VERIFY_PUBLICKEY_LOCATION", issuer.url()),
            Map.entry("QUARKUS_SMALLRYE_JWT_BLOCKING_AUTHENTICATION", "true")));
  }

  void start() {
    services.forEach(ServiceProcess::start);
    services.forEach(ServiceProcess::awaitReady);
  }

  ServiceProcess orders() {
    return services.get(0);
  }

  ServiceProcess payments() {
    return services.get(1);
  }

  ServiceProcess shipping() {
    return services.get(2);
  }

  KeySet issuer() {
    return issuer;
  }

  private String jdbcUrl(String database) {
    return "jdbc:postgresql://%s:%d/%s"
        .formatted(postgres.getHost(), postgres.getMappedPort(POSTGRES_PORT), database);
  }

  /** Has a user of the database do something, who throws what he is told. */
  void inDatabase(String database, String user, String sql) throws SQLException {
    try (var connection = DriverManager.getConnection(jdbcUrl(database), user, password(user));
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  /** The first column of the first row that a user of the database reads, or null. */
  @Nullable String read(String database, String sql) throws SQLException {
    try (var connection =
            DriverManager.getConnection(jdbcUrl(database), database, password(database));
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      return rows.next() ? rows.getString(1) : null;
    }
  }

  /** A connection to the broker as one of its users. */
  Connection brokerAs(String user) {
    ConnectionFactory factory = new ConnectionFactory();
    factory.setHost(rabbit.getHost());
    factory.setPort(rabbit.getMappedPort(AMQP_PORT));
    factory.setUsername(user);
    factory.setPassword(password(user));
    factory.setAutomaticRecoveryEnabled(false);
    try {
      return factory.newConnection("system-tests");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (TimeoutException e) {
      throw new IllegalStateException("The broker does not answer", e);
    }
  }

  /** Runs a command where the broker is. */
  void inBroker(String... command) {
    try {
      ExecResult result = rabbit.execInContainer(command);
      if (result.getExitCode() != 0) {
        throw new IllegalStateException("%s: %s".formatted(String.join(" ", command), result));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted in the broker", e);
    }
  }

  @Override
  public void close() {
    services.forEach(ServiceProcess::kill);
    issuer.close();
    rabbit.stop();
    postgres.stop();
  }
}
