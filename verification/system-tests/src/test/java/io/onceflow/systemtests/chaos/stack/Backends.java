package io.onceflow.systemtests.chaos.stack;

import io.onceflow.launcher.servers.Credentials;
import io.onceflow.systemtests.Project;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.testcontainers.DockerClientFactory;

/** A PostgreSQL and a broker that can be killed, and started again on their ports. */
public interface Backends extends AutoCloseable {

  /** A broker in a container that recovers its queues on a busy machine. */
  Duration ANSWERS_WITHIN = Duration.ofMinutes(2);

  /** PostgreSQL's superuser, and its database. */
  String SUPERUSER = "postgres";

  /**
   * Starts both and makes the services' databases.
   *
   * @param stack {@code docker}, {@code embedded}, or empty: containers where a Docker engine
   *     answers
   * @param logs a folder for what they write
   */
  static Backends start(String stack, Path logs) throws IOException, InterruptedException {
    boolean inContainers =
        switch (stack.toLowerCase(Locale.ROOT)) {
          case "docker" -> true;
          case "embedded" -> false;
          case "" -> DockerClientFactory.instance().isDockerAvailable();
          default -> throw new IOException("The stack may be docker or embedded, not " + stack);
        };
    boolean onKafka = Project.isOnKafka();
    Backends backends =
        inContainers ? new ContainerBackends(!onKafka) : new EmbeddedBackends(logs, !onKafka);
    try {
      SteppedClock.plant(backends);
    } catch (SQLException e) {
      backends.close();
      throw new IOException("The databases' clock was not made", e);
    }
    return onKafka ? new KafkaBackends(backends, logs) : backends;
  }

  /** Which these are, in words for the report. */
  String description();

  /** Whether the broker keeps queues and messages when it is killed. */
  boolean brokerKeeps();

  /** Where PostgreSQL listens on the loopback interface. */
  int databasePort();

  /** Where the broker listens on the loopback interface. */
  int brokerPort();

  /** A way of its own to the broker, for one process. */
  default Proxy proxyToBroker() throws IOException {
    return new Proxy(brokerPort());
  }

  /** What a process needs to find the broker through its proxy. */
  default Map<String, String> brokerSettings(Proxy proxy) {
    return Map.of(
        "RABBITMQ_HOST",
        "127.0.0.1",
        "RABBITMQ_PORT",
        Integer.toString(proxy.port()),
        "RABBITMQ_USERNAME",
        Credentials.BROKER_USER,
        "RABBITMQ_PASSWORD",
        Credentials.PASSWORD,
        "RABBITMQ_VIRTUAL_HOST",
        "/",
        "ONCEFLOW_BROKER_DECLARE",
        "true");
  }

  /** Kills PostgreSQL without a chance to write anything. */
  void killDatabase() throws IOException, InterruptedException;

  /** Starts PostgreSQL again and waits until it answers; does nothing if it runs. */
  void startDatabase() throws IOException, InterruptedException;

  /** Kills the broker likewise. */
  void killBroker() throws IOException, InterruptedException;

  /** Starts the broker again and waits until it talks; does nothing if it runs. */
  void startBroker() throws IOException, InterruptedException;

  /** Whether consumers are members of groups that can be thrown out of them. */
  default boolean hasGroups() {
    return false;
  }

  /** Whether the broker can be made to raise an alarm. */
  boolean canAlarm();

  /**
   * Has the broker believe that it is short of memory, so that it reads nothing from connections
   * that publish, or believe so no more.
   */
  void alarm(boolean raised) throws IOException, InterruptedException;

  @Override
  void close();

  /** The URL of a database, not through any proxy. */
  default String jdbcUrl(String database) {
    return "jdbc:postgresql://localhost:%d/%s".formatted(databasePort(), database);
  }

  /** A connection to a database as PostgreSQL's superuser. */
  Connection superuser(String database) throws SQLException;

  /**
   * Has PostgreSQL take a setting, for sessions that are open, too.
   *
   * @param value empty for what it was before
   */
  default void configure(String setting, String value) throws IOException {
    String statement =
        value.isEmpty()
            ? "ALTER SYSTEM RESET " + setting
            : "ALTER SYSTEM SET %s = '%s'".formatted(setting, value);
    try (Connection superuser = superuser(SUPERUSER);
        Statement server = superuser.createStatement()) {
      server.execute(statement);
      server.execute("SELECT pg_reload_conf()");
    } catch (SQLException e) {
      throw new IOException("PostgreSQL did not take " + statement, e);
    }
  }

  /** A connection to a service's database as its own user. */
  default Connection connect(String database) throws SQLException {
    return DriverManager.getConnection(jdbcUrl(database), database, Credentials.PASSWORD);
  }

  /** Whether the broker talks: an open port says nothing, since a proxy may have opened it. */
  default boolean speaksAmqp() {
    try (Socket socket = new Socket("localhost", brokerPort())) {
      socket.setSoTimeout(5_000);
      socket.getOutputStream().write("AMQP\0\0\11\1".getBytes(StandardCharsets.ISO_8859_1));
      int methodFrame = 1;
      return socket.getInputStream().read() == methodFrame;
    } catch (IOException e) {
      return false;
    }
  }

  /** Waits until something answers. */
  static void await(String what, BooleanSupplier answers) throws IOException, InterruptedException {
    long giveUpAt = System.nanoTime() + ANSWERS_WITHIN.toNanos();
    while (!answers.getAsBoolean()) {
      if (System.nanoTime() - giveUpAt > 0) {
        throw new IOException(what + " does not answer");
      }
      Pause.of(Duration.ofMillis(100));
    }
  }
}
