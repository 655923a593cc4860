package io.onceflow.benchmarks.saga.stack;

import io.onceflow.benchmarks.machine.BenchProcess;
import io.onceflow.launcher.servers.EmbeddedPostgresServer;
import io.onceflow.launcher.servers.Folders;
import io.onceflow.launcher.servers.FreePorts;
import io.onceflow.launcher.servers.PostgresProcess;
import io.onceflow.launcher.stack.Home;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** PostgreSQL from binaries, and Qpid Broker-J in a separate JVM. */
final class EmbeddedBenchServers implements BenchServers {

  private final Path postgresHome;
  private final EmbeddedPostgresServer postgres;
  private final @Nullable BenchProcess broker;
  private final int brokerPort = FreePorts.next();

  /**
   * @param hasBroker whether there is one; otherwise PostgreSQL alone
   */
  EmbeddedBenchServers(Home home, boolean hasBroker) throws IOException, InterruptedException {
    Path log = home.log("bench-postgres");
    Files.createDirectories(log.getParent());
    postgresHome = home.state().resolve("bench").resolve("postgres");
    // What a benchmark left behind that was killed.
    PostgresProcess.stop(postgresHome);
    Folders.delete(postgresHome.resolve("data"));
    postgres = startTwice(log);
    try {
      broker = hasBroker ? startBroker(home) : null;
    } catch (IOException | InterruptedException e) {
      postgres.close();
      throw e;
    }
  }

  /** Some settings want a restart, and the launcher's server has no option for them. */
  private EmbeddedPostgresServer startTwice(Path log) throws IOException {
    int port = FreePorts.next();
    try (EmbeddedPostgresServer first = EmbeddedPostgresServer.start(postgresHome, port, log);
        Connection superuser =
            DriverManager.getConnection(
                first.jdbcUrl("postgres"), SUPERUSER, first.superuserPassword());
        Statement statement = superuser.createStatement()) {
      for (String setting : SETTINGS) {
        String[] parts = setting.split("=");
        statement.execute("ALTER SYSTEM SET %s = '%s'".formatted(parts[0], parts[1]));
      }
    } catch (SQLException e) {
      throw new IOException("PostgreSQL refuses its settings", e);
    }
    return EmbeddedPostgresServer.start(postgresHome, port, log);
  }

  private BenchProcess startBroker(Home home) throws IOException, InterruptedException {
    BenchProcess process =
        BenchProcess.start(
            BROKER,
            home.log("bench-broker"),
            List.of(
                "-Xmx512m",
                "-cp",
                System.getProperty("java.class.path"),
                BrokerMain.class.getName(),
                Integer.toString(brokerPort)),
            Map.of());
    try {
      process.awaitPort(brokerPort);
      return process;
    } catch (IOException | InterruptedException e) {
      process.close();
      throw e;
    }
  }

  @Override
  public String description() {
    return "embedded: PostgreSQL from binaries, and Qpid Broker-J (no RabbitMQ; it keeps messages"
        + " in memory) in a separate JVM";
  }

  @Override
  public boolean isRabbitMq() {
    return false;
  }

  @Override
  public String jdbcUrl(String database) {
    return postgres.jdbcUrl(database);
  }

  @Override
  public String superuserPassword() {
    try {
      return postgres.superuserPassword();
    } catch (IOException e) {
      throw new UncheckedIOException("The superuser's password cannot be read", e);
    }
  }

  @Override
  public int brokerPort() {
    return brokerPort;
  }

  @Override
  public Map<String, List<Long>> pids() {
    Map<String, List<Long>> pids = new HashMap<>();
    PostgresProcess.find(postgresHome).ifPresent(it -> pids.put(POSTGRES, List.of(it.pid())));
    if (broker != null) {
      pids.put(BROKER, List.of(broker.pid()));
    }
    return pids;
  }

  @Override
  public void close() {
    if (broker != null) {
      broker.close();
    }
    postgres.close();
    try {
      Folders.delete(postgresHome.resolve("data"));
    } catch (IOException e) {
      throw new UncheckedIOException("The benchmark's data cannot be deleted", e);
    }
  }
}
