package io.onceflow.launcher.testing;

import io.onceflow.launcher.servers.Credentials;
import io.onceflow.launcher.servers.Databases;
import io.onceflow.launcher.servers.FreePorts;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.wait.strategy.Wait;
import org.testcontainers.images.builder.Transferable;
import org.testcontainers.utility.DockerImageName;

/** PostgreSQL and RabbitMQ in containers. */
final class ContainerServers implements Servers {

  private static final String POSTGRES_IMAGE = "postgres:17";
  private static final String RABBITMQ_IMAGE = "rabbitmq:4-management";
  private static final String REDIS_IMAGE = "redis:8";

  private static final int POSTGRES_PORT = 5432;
  private static final int AMQP_PORT = 5672;
  private static final int REDIS_PORT = 6379;

  /** Images that have to be pulled are not counted in; a busy machine that starts both is. */
  private static final Duration STARTUP_TIMEOUT = Duration.ofMinutes(2);

  private static final Duration PROBE_PAUSE = Duration.ofMillis(200);

  private final GenericContainer<?> postgres =
      new GenericContainer<>(DockerImageName.parse(POSTGRES_IMAGE))
          .withExposedPorts(POSTGRES_PORT)
          .withEnv("POSTGRES_PASSWORD", Credentials.PASSWORD)
          // A process that is killed loses nothing without fsync: what it has written, the machine
          // keeps. By default a password is hashed 4,096 times for each connection, which takes a
          // JVM that does not optimize 20 ms.
          .withCommand(
              "postgres",
              "-c",
              "fsync=off",
              "-c",
              "max_connections=200",
              "-c",
              "scram_iterations=1")
          // It starts twice: once to set itself up, unreachable from outside.
          .waitingFor(Wait.forLogMessage(".*database system is ready to accept connections.*", 2))
          .withStartupTimeout(STARTUP_TIMEOUT);

  private final Rabbit rabbit = new Rabbit(FreePorts.next());
  private boolean brokerWasAskedFor;
  private final Redis redis = new Redis(FreePorts.next());

  ContainerServers() {
    ContainerImages.require(POSTGRES_IMAGE);
    try {
      postgres.start();
      asSuperuser(Databases::create);
    } catch (RuntimeException e) {
      close();
      throw e;
    }
  }

  /** Tells whether a Docker engine answers, and has PostgreSQL's image or can pull it. */
  static boolean possible() {
    if (!DockerClientFactory.instance().isDockerAvailable()) {
      return false;
    }
    Optional<String> missing = ContainerImages.missing(POSTGRES_IMAGE);
    missing.ifPresent(
        why ->
            System.out.printf(
                "A Docker engine answers, but not for tests: %s. %s=docker insists on containers%n",
                why, TestServers.STACK));
    return missing.isEmpty();
  }

  @Override
  public String description() {
    return "containers (PostgreSQL on port %s, RabbitMQ on port %s)"
        .formatted(postgres.getMappedPort(POSTGRES_PORT), rabbit.port);
  }

  @Override
  public String jdbcUrl(String database) {
    return "jdbc:postgresql://%s:%s/%s"
        .formatted(postgres.getHost(), postgres.getMappedPort(POSTGRES_PORT), database);
  }

  @Override
  public void createDatabase(String name) {
    asSuperuser(superuser -> Databases.create(superuser, name));
  }

  @Override
  public String brokerHost() {
    startBrokerOnce();
    return rabbit.getHost();
  }

  @Override
  public int brokerPort() {
    startBrokerOnce();
    return rabbit.port;
  }

  private synchronized void startBrokerOnce() {
    if (!brokerWasAskedFor) {
      startBroker();
    }
  }

  @Override
  public synchronized void stopBroker() {
    brokerWasAskedFor = true;
    if (rabbit.isRunning()) {
      rabbit.getDockerClient().stopContainerCmd(rabbit.getContainerId()).exec();
    }
  }

  @Override
  public synchronized void startBroker() {
    brokerWasAskedFor = true;
    if (rabbit.getContainerId() == null) {
      ContainerImages.require(RABBITMQ_IMAGE);
      rabbit.start();
      awaitBroker();
    } else if (!rabbit.isRunning()) {
      rabbit.getDockerClient().startContainerCmd(rabbit.getContainerId()).exec();
      awaitBroker();
    }
  }

  @Override
  public String redisUrl() {
    startRedis();
    return "redis://%s:%s".formatted(redis.getHost(), redis.port);
  }

  @Override
  public synchronized void stopRedis() {
    redis.stop();
  }

  @Override
  public synchronized void startRedis() {
    ContainerImages.require(REDIS_IMAGE);
    redis.start();
  }

  @Override
  public void close() {
    redis.stop();
    rabbit.stop();
    postgres.stop();
  }

  private interface SuperusersWork {
    void on(Connection superuser) throws SQLException;
  }

  private void asSuperuser(SuperusersWork work) {
    try (Connection superuser =
        DriverManager.getConnection(jdbcUrl("postgres"), "postgres", Credentials.PASSWORD)) {
      work.on(superuser);
    } catch (SQLException e) {
      throw new IllegalStateException("The databases could not be made", e);
    }
  }

  private void awaitBroker() {
    long giveUpAt = System.nanoTime() + STARTUP_TIMEOUT.toNanos();
    while (!speaksAmqp()) {
      if (System.nanoTime() - giveUpAt > 0) {
        throw new IllegalStateException("RabbitMQ does not answer: " + rabbit.getLogs());
      }
      LockSupport.parkNanos(PROBE_PAUSE.toNanos());
    }
  }

  /** An open port says nothing: Docker's proxy opens it long before the broker does. */
  private boolean speaksAmqp() {
    try (Socket socket = new Socket(rabbit.getHost(), rabbit.port)) {
      socket.setSoTimeout((int) Duration.ofSeconds(5).toMillis());
      socket.getOutputStream().write("AMQP\0\0\11\1".getBytes(StandardCharsets.ISO_8859_1));
      int methodFrame = 1;
      return socket.getInputStream().read() == methodFrame;
    } catch (IOException e) {
      return false;
    }
  }

  /** Keeps its port when it is stopped and started, and nothing else. */
  private static final class Redis extends GenericContainer<Redis> {
    private final int port;

    Redis(int port) {
      super(DockerImageName.parse(REDIS_IMAGE));
      this.port = port;
      addFixedExposedPort(port, REDIS_PORT);
      // In protected mode it would refuse connections from outside of its container.
      withCommand("redis-server", "--protected-mode", "no", "--save", "", "--appendonly", "no");
      waitingFor(Wait.forLogMessage(".*Ready to accept connections.*", 1));
      withStartupTimeout(STARTUP_TIMEOUT);
    }
  }

  /** Keeps its port and its data when it is stopped and started. */
  private static final class Rabbit extends GenericContainer<Rabbit> {

    /** As in deploy/rabbitmq/onceflow.conf. */
    private static final int LARGEST_MESSAGE = 1024 * 1024;

    private final int port;

    Rabbit(int port) {
      super(DockerImageName.parse(RABBITMQ_IMAGE));
      this.port = port;
      addFixedExposedPort(port, AMQP_PORT);
      withEnv("RABBITMQ_DEFAULT_USER", Credentials.BROKER_USER);
      withEnv("RABBITMQ_DEFAULT_PASS", Credentials.PASSWORD);
      withCopyToContainer(
          Transferable.of("max_message_size = " + LARGEST_MESSAGE + "\n"),
          "/etc/rabbitmq/conf.d/90-onceflow.conf");
      // Without the management plugin, which no test needs, it starts sooner.
      withCopyToContainer(Transferable.of("[]."), "/etc/rabbitmq/enabled_plugins");
      waitingFor(Wait.forLogMessage(".*Server startup complete.*", 1));
      withStartupTimeout(STARTUP_TIMEOUT);
    }
  }
}
