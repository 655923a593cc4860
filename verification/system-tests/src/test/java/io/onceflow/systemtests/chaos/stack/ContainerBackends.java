package io.onceflow.systemtests.chaos.stack;

import io.onceflow.launcher.servers.Credentials;
import io.onceflow.launcher.servers.Databases;
import io.onceflow.systemtests.Ports;
import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.wait.strategy.Wait;
import org.testcontainers.lifecycle.Startables;
import org.testcontainers.utility.DockerImageName;

/** PostgreSQL and RabbitMQ in containers, which keep their ports and their data when killed. */
final class ContainerBackends implements Backends {

  /** RabbitMQ 4's own. */
  private static final String DEFAULT_WATERMARK = "0.6";

  private final Container postgres = new Container("postgres:17", 5432);
  private final Container rabbit = new Container("rabbitmq:4-management", 5672);

  ContainerBackends(boolean withBroker) throws IOException, InterruptedException {
    postgres
        .withEnv("POSTGRES_PASSWORD", Credentials.PASSWORD)
        .withCommand("postgres", "-c", "max_connections=300")
        // It starts twice: once to set itself up, unreachable from outside.
        .waitingFor(Wait.forLogMessage(".*database system is ready to accept connections.*", 2));
    rabbit
        .withEnv("RABBITMQ_DEFAULT_USER", Credentials.BROKER_USER)
        .withEnv("RABBITMQ_DEFAULT_PASS", Credentials.PASSWORD)
        .waitingFor(Wait.forLogMessage(".*Server startup complete.*", 1));
    try {
      Startables.deepStart(withBroker ? List.of(postgres, rabbit) : List.of(postgres)).join();
      if (withBroker) {
        Backends.await("RabbitMQ", this::speaksAmqp);
      }
      try (Connection superuser = superuser(SUPERUSER)) {
        Databases.create(superuser);
      }
    } catch (SQLException e) {
      close();
      throw new IOException("The databases could not be made", e);
    } catch (RuntimeException | IOException | InterruptedException e) {
      close();
      throw e;
    }
  }

  @Override
  public String description() {
    return "PostgreSQL and RabbitMQ in containers";
  }

  @Override
  public boolean brokerKeeps() {
    return true;
  }

  @Override
  public int databasePort() {
    return postgres.port;
  }

  @Override
  public int brokerPort() {
    return rabbit.port;
  }

  @Override
  public void killDatabase() {
    postgres.kill();
  }

  @Override
  public void startDatabase() throws IOException, InterruptedException {
    postgres.startAgain();
    Backends.await("PostgreSQL", this::speaksSql);
  }

  @Override
  public void killBroker() {
    rabbit.kill();
  }

  @Override
  public void startBroker() throws IOException, InterruptedException {
    rabbit.startAgain();
    Backends.await("RabbitMQ", this::speaksAmqp);
  }

  @Override
  public boolean canAlarm() {
    return true;
  }

  @Override
  public void alarm(boolean raised) throws IOException, InterruptedException {
    String watermark = raised ? "0.000001" : DEFAULT_WATERMARK;
    var result = rabbit.execInContainer("rabbitmqctl", "set_vm_memory_high_watermark", watermark);
    if (result.getExitCode() != 0) {
      throw new IOException("The broker's alarm was not set: " + result.getStderr());
    }
  }

  @Override
  public void close() {
    rabbit.stop();
    postgres.stop();
  }

  private boolean speaksSql() {
    try (Connection superuser = superuser(SUPERUSER)) {
      return superuser.isValid(2);
    } catch (SQLException e) {
      return false;
    }
  }

  @Override
  public Connection superuser(String database) throws SQLException {
    return DriverManager.getConnection(jdbcUrl(database), SUPERUSER, Credentials.PASSWORD);
  }

  /** A server on a fixed port, so that it has the same port after a restart. */
  private static final class Container extends GenericContainer<Container> {
    private final int port = Ports.next();

    Container(String image, int inside) {
      super(DockerImageName.parse(image));
      addFixedExposedPort(port, inside);
      withStartupTimeout(ANSWERS_WITHIN);
    }

    void kill() {
      if (isRunning()) {
        getDockerClient().killContainerCmd(getContainerId()).exec();
      }
    }

    void startAgain() {
      if (!isRunning()) {
        getDockerClient().startContainerCmd(getContainerId()).exec();
      }
    }
  }
}
