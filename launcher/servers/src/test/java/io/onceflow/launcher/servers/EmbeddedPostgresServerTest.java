package io.onceflow.launcher.servers;

import static java.nio.file.attribute.PosixFilePermission.OWNER_READ;
import static java.nio.file.attribute.PosixFilePermission.OWNER_WRITE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("nightly")
class EmbeddedPostgresServerTest {

  private static EmbeddedPostgresServer server;

  /** Unpacked once for the tests that are about something else. */
  @TempDir private static Path binaries;

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

  /** Before, the superuser came in without one. */
  @ParameterizedTest
  @ValueSource(strings = {"", "postgres", "onceflow"})
  void letsNobodyInAsSuperuserWhoDoesNotHaveTheFile(String password) {
    String url = server.jdbcUrl("postgres");
    assertThatThrownBy(() -> DriverManager.getConnection(url, "postgres", password).close())
        .isInstanceOf(SQLException.class)
        .hasMessageContaining("password");
  }

  @Test
  void letsItsOwnerInAsSuperuser(@TempDir Path home) throws Exception {
    Path link = Files.createSymbolicLink(home.resolve("binaries"), binaries);
    Path log = home.resolve("postgres.log");
    try (EmbeddedPostgresServer mine = EmbeddedPostgresServer.start(home, FreePorts.next(), log)) {
      assertThat(superuser(mine, home)).isEqualTo("postgres");
      assertThat(Files.getPosixFilePermissions(home.resolve("superuser-password")))
          .containsExactlyInAnyOrder(OWNER_READ, OWNER_WRITE);
    }
    Files.delete(link);
  }

  private static String superuser(EmbeddedPostgresServer server, Path home) throws Exception {
    String password = Files.readString(home.resolve("superuser-password")).strip();
    try (Connection connection =
            DriverManager.getConnection(server.jdbcUrl("postgres"), "postgres", password);
        Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery("SELECT current_user")) {
      result.next();
      return result.getString(1);
    }
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
