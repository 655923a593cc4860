package io.onceflow.benchmarks.saga.stack;

import io.onceflow.launcher.servers.Credentials;
import io.onceflow.launcher.servers.Databases;
import io.onceflow.launcher.servers.FreePorts;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.wait.strategy.AbstractWaitStrategy;
import org.testcontainers.containers.wait.strategy.Wait;
import org.testcontainers.images.builder.Transferable;
import org.testcontainers.lifecycle.Startables;
import org.testcontainers.utility.DockerImageName;

/**
 * PostgreSQL and RabbitMQ in containers. On Linux they use the machine's own network, on free
 * ports: published ports go through a proxy whose processor time would not be measured.
 */
final class ContainerBenchServers implements BenchServers {

  private static final int POSTGRES_PORT = 5432;
  private static final int AMQP_PORT = 5672;

  /** Images that have to be pulled are not counted in. */
  private static final Duration STARTUP_TIMEOUT = Duration.ofMinutes(2);

  private static final Duration ASK_EVERY = Duration.ofMillis(200);
  private static final long SHARED_MEMORY = 1L << 30;

  private final boolean isOnHostNetwork = System.getProperty("os.name").startsWith("Linux");
  private final int postgresPort = isOnHostNetwork ? FreePorts.next() : POSTGRES_PORT;
  private final int amqpPort = isOnHostNetwork ? FreePorts.next() : AMQP_PORT;
  private final GenericContainer<?> postgres;
  private final @Nullable GenericContainer<?> rabbit;

  /**
   * @param hasBroker whether there is one; otherwise PostgreSQL alone
   */
  ContainerBenchServers(boolean hasBroker) throws IOException, InterruptedException {
    postgres = postgres();
    rabbit = hasBroker ? rabbit() : null;
    try {
      Startables.deepStart(Stream.of(postgres, rabbit).filter(Objects::nonNull)).join();
      if (rabbit != null) {
        await("RabbitMQ", rabbit, this::speaksAmqp);
      }
      // It starts twice, but the first time, to set itself up, it cannot be reached from outside.
      await("PostgreSQL", postgres, this::speaksSql);
      try (Connection superuser = connect("postgres")) {
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

  private GenericContainer<?> postgres() {
    List<String> command = new ArrayList<>(List.of("postgres", "-c", "port=" + postgresPort));
    SETTINGS.forEach(it -> command.addAll(List.of("-c", it)));
    GenericContainer<?> container =
        new GenericContainer<>(DockerImageName.parse("postgres:17"))
            .withEnv("POSTGRES_PASSWORD", Credentials.PASSWORD)
            .withCommand(command.toArray(String[]::new))
            .withSharedMemorySize(SHARED_MEMORY)
            // Its log goes to a separate file; the caller waits until it answers.
            .waitingFor(new NoWait());
    return reachable(container, postgresPort);
  }

  private GenericContainer<?> rabbit() {
    GenericContainer<?> container =
        new GenericContainer<>(DockerImageName.parse("rabbitmq:4-management"))
            .withEnv("RABBITMQ_DEFAULT_USER", Credentials.BROKER_USER)
            .withEnv("RABBITMQ_DEFAULT_PASS", Credentials.PASSWORD)
            .waitingFor(Wait.forLogMessage(".*Server startup complete.*", 1))
            .withStartupTimeout(STARTUP_TIMEOUT);
    if (isOnHostNetwork) {
      container
          .withEnv("RABBITMQ_NODENAME", "bench-%d@localhost".formatted(amqpPort))
          .withEnv("RABBITMQ_DIST_PORT", Integer.toString(FreePorts.next()))
          .withEnv("ERL_EPMD_PORT", Integer.toString(FreePorts.next()))
          .withCopyToContainer(
              Transferable.of(
                  """
                  listeners.tcp.default = %d
                  management.tcp.port = %d
                  prometheus.tcp.port = %d
                  """
                      .formatted(amqpPort, FreePorts.next(), FreePorts.next())),
              "/etc/rabbitmq/conf.d/30-bench.conf");
    }
    return reachable(container, amqpPort);
  }

  private GenericContainer<?> reachable(GenericContainer<?> container, int port) {
    return isOnHostNetwork ? container.withNetworkMode("host") : container.withExposedPorts(port);
  }

  private static void await(String name, GenericContainer<?> container, BooleanSupplier answers)
      throws IOException, InterruptedException {
    long giveUpAt = System.nanoTime() + STARTUP_TIMEOUT.toNanos();
    while (!answers.getAsBoolean()) {
      if (System.nanoTime() - giveUpAt > 0) {
        throw new IOException("%s does not answer: %s".formatted(name, container.getLogs()));
      }
      Thread.sleep(ASK_EVERY);
    }
  }

  private boolean speaksSql() {
    try (Connection superuser = connect(SUPERUSER)) {
      return superuser.isValid((int) ASK_EVERY.plusSeconds(1).toSeconds());
    } catch (SQLException e) {
      return false;
    }
  }

  /** An open port says nothing: a proxy opens it long before the broker does. */
  private boolean speaksAmqp() {
    try (Socket socket = new Socket("localhost", brokerPort())) {
      socket.setSoTimeout((int) Duration.ofSeconds(5).toMillis());
      socket.getOutputStream().write("AMQP\0\0\11\1".getBytes(StandardCharsets.ISO_8859_1));
      int methodFrame = 1;
      return socket.getInputStream().read() == methodFrame;
    } catch (IOException e) {
      return false;
    }
  }

  @Override
  public String description() {
    return "docker: postgres:17 and rabbitmq:4-management (quorum queues) in containers on "
        + (isOnHostNetwork ? "this machine's own network" : "ports that Docker publishes");
  }

  @Override
  public boolean isRabbitMq() {
    return true;
  }

  @Override
  public String jdbcUrl(String database) {
    int port = isOnHostNetwork ? postgresPort : postgres.getMappedPort(POSTGRES_PORT);
    return "jdbc:postgresql://localhost:%d/%s".formatted(port, database);
  }

  @Override
  public int brokerPort() {
    return isOnHostNetwork || rabbit == null ? amqpPort : rabbit.getMappedPort(AMQP_PORT);
  }

  @Override
  public Map<String, List<Long>> pids() {
    Map<String, List<Long>> pids = new HashMap<>();
    note(pids, POSTGRES, postgres);
    note(pids, BROKER, rabbit);
    return pids;
  }

  /** The engine may run in a virtual machine, whose processes are not visible here. */
  private static void note(
      Map<String, List<Long>> pids, String part, @Nullable GenericContainer<?> container) {
    if (container == null) {
      return;
    }
    Long pid = container.getCurrentContainerInfo().getState().getPidLong();
    String program = part.equals(POSTGRES) ? "postgres" : "";
    if (pid != null
        && ProcessHandle.of(pid)
            .filter(it -> it.info().commandLine().orElse("").contains(program))
            .isPresent()) {
      pids.put(part, List.of(pid));
    }
  }

  /** Leaves the waiting to us. */
  private static final class NoWait extends AbstractWaitStrategy {
    @Override
    protected void waitUntilReady() {
      // A container that is started may be waited for.
    }
  }

  @Override
  public void close() {
    if (rabbit != null) {
      rabbit.stop();
    }
    postgres.stop();
  }
}
