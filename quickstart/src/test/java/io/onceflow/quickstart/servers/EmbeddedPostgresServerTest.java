package io.onceflow.quickstart.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class EmbeddedPostgresServerTest {

  private static EmbeddedPostgresServer server;

  @BeforeAll
  static void startServer() throws IOException {
    server = EmbeddedPostgresServer.startTemporary();
  }

  @AfterAll
  static void stopServer() {
    server.close();
  }

  @ParameterizedTest
  @CsvSource({
    "fsync, on",
    "synchronous_commit, on",
    "full_page_writes, on",
    "max_connections, 200",
    "server_encoding, UTF8"
  })
  void isAsDurableAsAnInstalledOne(String setting, String value) throws SQLException {
    assertThat(query("orders", "orders", "SHOW " + setting)).isEqualTo(value);
  }

  @Test
  void isPostgres17() throws SQLException {
    assertThat(query("orders", "orders", "SHOW server_version")).startsWith("17.");
  }

  @ParameterizedTest
  @ValueSource(strings = {"orders", "payments", "shipping"})
  void givesEachServiceADatabaseOfItsOwn(String name) throws SQLException {
    assertThat(query(name, name, "CREATE TABLE mine (id int); SELECT current_user"))
        .isEqualTo(name);
  }

  @Test
  void refusesAWrongPassword() {
    assertThatThrownBy(
            () -> DriverManager.getConnection(server.jdbcUrl("orders"), "orders", "wrong").close())
        .isInstanceOf(SQLException.class)
        .hasMessageContaining("password authentication failed");
  }

  @Test
  void keepsItsDataBetweenRuns(@TempDir Path folder) throws Exception {
    Path home = folder.resolve("with a blank");
    Path log = folder.resolve("postgres.log");
    try (EmbeddedPostgresServer first = EmbeddedPostgresServer.start(home, FreePorts.next(), log)) {
      query(first, "orders", "orders", "CREATE TABLE kept AS SELECT 42 AS answer; SELECT 1");
    }
    try (EmbeddedPostgresServer second =
        EmbeddedPostgresServer.start(home, FreePorts.next(), log)) {
      assertThat(query(second, "orders", "orders", "SELECT answer FROM kept")).isEqualTo("42");
    }
  }

  private static String query(String database, String user, String sql) throws SQLException {
    return query(server, database, user, sql);
  }

  /** Runs the statements; returns the only value that the last, a query, finds. */
  private static String query(
      EmbeddedPostgresServer server, String database, String user, String sql) throws SQLException {
    String url = server.jdbcUrl(database);
    try (Connection connection = DriverManager.getConnection(url, user, Credentials.PASSWORD);
        Statement statement = connection.createStatement()) {
      boolean rows = statement.execute(sql);
      while (!rows) {
        rows = statement.getMoreResults();
      }
      try (ResultSet result = statement.getResultSet()) {
        result.next();
        return result.getString(1);
      }
    }
  }
}
