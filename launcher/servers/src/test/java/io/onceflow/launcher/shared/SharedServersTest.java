package io.onceflow.launcher.shared;

import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import io.onceflow.launcher.servers.Credentials;
import io.onceflow.launcher.servers.PostgresProcess;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("nightly")
class SharedServersTest {

  private static final List<Path> CLASS_PATH =
      Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
          .map(Path::of)
          .toList();

  /** One for all tests: each start takes as long as all that they look at. */
  @TempDir private static Path home;

  private static SharedServers servers;

  @BeforeEach
  void join() throws IOException {
    servers = SharedServers.join(home, CLASS_PATH);
  }

  @AfterAll
  static void leave() throws Exception {
    Files.deleteIfExists(self());
    servers.process().onExit().get(30, TimeUnit.SECONDS);
  }

  @Test
  void areOneForAllThatNameTheSameFolder() throws IOException {
    assertThat(SharedServers.join(home, List.of())).isEqualTo(servers);
  }

  @Test
  void giveEachApplicationADatabaseThatItKeeps() throws Exception {
    servers.createDatabase("my-trips");
    execute("CREATE TABLE trip (id int)");
    servers.createDatabase("my-trips");
    assertThat(tables()).isEqualTo(1);
    servers.createEmptyDatabase("my-trips");
    assertThat(tables()).isZero();
  }

  @Test
  void haveABroker() throws Exception {
    ConnectionFactory factory = new ConnectionFactory();
    factory.setHost("localhost");
    factory.setPort(servers.brokerPort());
    factory.setUsername(Credentials.BROKER_USER);
    factory.setPassword(Credentials.PASSWORD);
    try (Connection connection = factory.newConnection()) {
      assertThat(connection.isOpen()).isTrue();
    }
  }

  @Test
  void endWithTheLastApplication() throws Exception {
    Files.delete(self());
    servers.process().onExit().get(30, TimeUnit.SECONDS);
    assertThat(PostgresProcess.find(SharedServers.postgres(home))).isEmpty();
    SharedServers fresh = SharedServers.join(home, CLASS_PATH);
    assertThat(fresh.process()).isNotEqualTo(servers.process());
    servers = fresh;
  }

  @Test
  void areStartedAnewWhenTheirProcessWasKilled() throws Exception {
    servers.createDatabase("my-trips");
    servers.process().destroyForcibly();
    servers.process().onExit().get(30, TimeUnit.SECONDS);
    servers = SharedServers.join(home, CLASS_PATH);
    assertThat(tables()).isZero();
  }

  private static Path self() {
    return home.resolve("clients").resolve(Long.toString(ProcessHandle.current().pid()));
  }

  private int tables() throws SQLException {
    try (var connection = connect();
        Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery("SELECT count(*) FROM pg_tables WHERE tablename = 'trip'")) {
      row.next();
      return row.getInt(1);
    }
  }

  private void execute(String sql) throws SQLException {
    try (var connection = connect();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private java.sql.Connection connect() throws SQLException {
    return DriverManager.getConnection(
        servers.jdbcUrl("my-trips"), "my-trips", Credentials.PASSWORD);
  }
}
