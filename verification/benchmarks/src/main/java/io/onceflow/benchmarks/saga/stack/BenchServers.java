package io.onceflow.benchmarks.saga.stack;

import io.onceflow.benchmarks.machine.BenchBackends;
import io.onceflow.benchmarks.machine.Machine;
import io.onceflow.benchmarks.sql.DatabaseServer;
import io.onceflow.launcher.servers.Credentials;
import io.onceflow.launcher.stack.BrokerKind;
import io.onceflow.launcher.stack.Home;
import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;

/** A PostgreSQL and a broker of the benchmark's own. Closing stops them and forgets their data. */
public interface BenchServers extends AutoCloseable {

  /** Who may see everything in the database server; the same on both stacks. */
  String SUPERUSER = "postgres";

  /** What the parts are called in reports: the database server. */
  String POSTGRES = "PostgreSQL";

  /** What the parts are called in reports: the broker. */
  String BROKER = "broker";

  /**
   * Settings that differ from PostgreSQL's defaults. A server that takes orders all day has more
   * than 128 MB of buffers, and does not write a checkpoint every few seconds. The last three are
   * for looking: they note when each transaction was committed, count statements, and let one
   * saga's statements be logged.
   */
  List<String> SETTINGS =
      List.of(
          "max_connections=200",
          "shared_buffers=512MB",
          "max_wal_size=4GB",
          "fsync=on",
          "synchronous_commit=on",
          "track_commit_timestamp=on",
          "shared_preload_libraries=pg_stat_statements",
          "logging_collector=on");

  /**
   * Starts both and returns when they answer.
   *
   * @param home where embedded servers keep their data and logs
   */
  static BenchServers start(BenchBackends.Kind kind, Home home)
      throws IOException, InterruptedException {
    return start(kind, home, BrokerKind.rabbitmq);
  }

  /**
   * The same with the given broker.
   *
   * @param home also where Kafka's libraries were built
   */
  static BenchServers start(BenchBackends.Kind kind, Home home, BrokerKind broker)
      throws IOException, InterruptedException {
    boolean hasBroker = broker == BrokerKind.rabbitmq;
    BenchServers servers =
        switch (kind) {
          case EMBEDDED -> new EmbeddedBenchServers(home, hasBroker);
          case DOCKER -> new ContainerBenchServers(hasBroker);
        };
    return hasBroker ? servers : KafkaBenchServers.beside(servers, home);
  }

  /** Which they are, in words for the report. */
  String description();

  /** Whether the broker is RabbitMQ, which the targets are meant for. */
  boolean isRabbitMq();

  /** The URL of a database, without credentials. */
  String jdbcUrl(String database);

  /**
   * Where the broker listens on this machine; RabbitMQ's user is {@link Credentials#BROKER_USER}.
   */
  int brokerPort();

  /** What a service finds in its environment about the broker. */
  default Map<String, String> brokerSettings() {
    return Map.of(
        "RABBITMQ_HOST",
        "localhost",
        "RABBITMQ_PORT",
        Integer.toString(brokerPort()),
        "RABBITMQ_USERNAME",
        Credentials.BROKER_USER,
        "RABBITMQ_PASSWORD",
        Credentials.PASSWORD,
        "RABBITMQ_VIRTUAL_HOST",
        "/",
        "ONCEFLOW_BROKER_DECLARE",
        "true");
  }

  /** The processes behind each part, by the part's name; without those that cannot be seen. */
  Map<String, List<Long>> pids();

  /**
   * A connection to one of the databases as the superuser, for looking: its statements are not
   * among those that pg_stat_statements counts.
   */
  default Connection connect(String database) throws SQLException {
    Properties properties = new Properties();
    properties.setProperty("user", SUPERUSER);
    properties.setProperty("password", superuserPassword());
    properties.setProperty("options", "-c pg_stat_statements.track=none");
    return DriverManager.getConnection(jdbcUrl(database), properties);
  }

  /** The database server, for its counters. */
  default DatabaseServer database() {
    return new DatabaseServer(this::jdbcUrl, SUPERUSER, superuserPassword());
  }

  /** What a reader needs to compare figures with those of other servers, by name. */
  default Map<String, String> describe() throws SQLException {
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put("servers", description());
    try (Connection connection = connect(SUPERUSER)) {
      facts.putAll(
          Machine.database(
              connection, "full_page_writes", "max_wal_size", "track_commit_timestamp"));
    }
    return facts;
  }

  /** The password of {@link #SUPERUSER}. */
  default String superuserPassword() {
    return Credentials.PASSWORD;
  }

  @Override
  void close();
}
