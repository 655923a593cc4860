package com.example.loyalty;

import io.onceflow.launcher.servers.Credentials;
import io.onceflow.launcher.servers.EmbeddedPostgresServer;
import io.onceflow.launcher.servers.FreePorts;
import io.onceflow.launcher.servers.PostgresProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** A PostgreSQL that can be stopped and started, and what the applications have written there. */
final class Postgres implements AutoCloseable {

  private static final String USER = "orders";

  private final Path home;
  private final int port = FreePorts.next();
  private EmbeddedPostgresServer server;

  Postgres() throws IOException {
    home = Files.createTempDirectory("loyalty-postgres");
    server = EmbeddedPostgresServer.start(home, port, home.resolve("log"));
  }

  String url() {
    return server.jdbcUrl(USER);
  }

  String user() {
    return USER;
  }

  String password() {
    return Credentials.PASSWORD;
  }

  void stop() {
    PostgresProcess.stop(home);
  }

  void start() throws IOException {
    server = EmbeddedPostgresServer.start(home, port, home.resolve("log"));
  }

  void execute(String sql) {
    try (Connection connection = connect();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException e) {
      throw new IllegalStateException(sql, e);
    }
  }

  /** The first column of the first row. */
  long number(String sql) {
    try (Connection connection = connect();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      return row.next() ? row.getLong(1) : 0;
    } catch (SQLException e) {
      throw new IllegalStateException(sql, e);
    }
  }

  private Connection connect() throws SQLException {
    return DriverManager.getConnection(url(), user(), password());
  }

  @Override
  public void close() {
    server.close();
  }
}
