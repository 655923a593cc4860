package io.onceflow.benchmarks.machine;

import io.onceflow.launcher.servers.Credentials;
import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import org.testcontainers.DockerClientFactory;

/** A PostgreSQL and a Redis of the benchmark's own. Closing stops them and forgets their data. */
public interface BenchBackends extends AutoCloseable {

  /** Where they run. */
  enum Kind {
    /** From binaries that come as Maven artifacts, on this machine. */
    EMBEDDED,
    /** In containers. */
    DOCKER;

    /** Containers where a Docker engine answers, as {@code ./onceflow test} decides. */
    public static Kind ofThisMachine() {
      return DockerClientFactory.instance().isDockerAvailable() ? DOCKER : EMBEDDED;
    }
  }

  /** The database that the application under test gets, and its user. */
  String DATABASE = "orders";

  /** Starts both and returns when they answer. */
  static BenchBackends start(Kind kind) throws IOException {
    return switch (kind) {
      case EMBEDDED -> new EmbeddedBackends();
      case DOCKER -> new ContainerBackends();
    };
  }

  /** Which they are, in words for the report. */
  String description();

  /** The URL of {@link #DATABASE}, without credentials. */
  String jdbcUrl();

  /** Where Redis listens, on this machine. */
  int redisPort();

  /** A connection as the application's user. */
  default Connection connect() throws SQLException {
    return DriverManager.getConnection(jdbcUrl(), DATABASE, Credentials.PASSWORD);
  }

  @Override
  void close();
}
