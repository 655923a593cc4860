package io.onceflow.launcher.shared;

import io.onceflow.launcher.servers.Credentials;
import io.onceflow.launcher.servers.Databases;
import io.onceflow.launcher.servers.EmbeddedPostgresServer;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Collection;
import java.util.Optional;

/**
 * PostgreSQL and a broker in a process of their own, shared by all applications on this machine
 * that name the same folder. The first one starts it; it ends when the last of them has ended.
 *
 * @param process the servers' process
 * @param postgresPort on the loopback interface
 * @param brokerPort on the loopback interface
 * @param home the folder
 */
public record SharedServers(ProcessHandle process, int postgresPort, int brokerPort, Path home) {

  private static final String SUPERUSER = "postgres";

  /**
   * Finds the servers, or starts them. They run at least until this JVM ends.
   *
   * @param home the folder of what they keep
   * @param classPath the jars of this module and of all that it needs
   * @throws IOException if they do not start; the message says where their log is
   */
  public static SharedServers join(Path home, Collection<Path> classPath) throws IOException {
    try (Clients clients = Clients.lock(home)) {
      clients.register(ProcessHandle.current());
      ServersFile file = new ServersFile(home);
      Optional<SharedServers> running = file.read();
      return running.isPresent() ? running.get() : new ServersStart(home, classPath).start(file);
    }
  }

  /**
   * Makes a database, unless there is one of that name.
   *
   * @param name also of its user, whose password is {@link Credentials#PASSWORD}
   */
  public void createDatabase(String name) throws IOException, SQLException {
    try (Connection superuser = connect()) {
      Databases.create(superuser, name);
    }
  }

  /** Makes an empty database, in the place of one of that name if there is one. */
  public void createEmptyDatabase(String name) throws IOException, SQLException {
    try (Connection superuser = connect()) {
      Databases.drop(superuser, name);
      Databases.create(superuser, name);
    }
  }

  private Connection connect() throws IOException, SQLException {
    return DriverManager.getConnection(
        jdbcUrl(SUPERUSER), SUPERUSER, EmbeddedPostgresServer.superuserPassword(postgres(home)));
  }

  /** The URL of a database, without user and password. */
  public String jdbcUrl(String database) {
    return "jdbc:postgresql://localhost:%s/%s".formatted(postgresPort, database);
  }

  static Path postgres(Path home) {
    return home.resolve("postgres");
  }
}
