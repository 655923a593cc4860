package io.onceflow.internal.database;

import io.agroal.api.AgroalDataSource;
import io.agroal.api.configuration.supplier.AgroalDataSourceConfigurationSupplier;
import io.agroal.api.exceptionsorter.PostgreSQLExceptionSorter;
import io.agroal.api.security.NamePrincipal;
import io.agroal.api.security.SimplePassword;
import io.onceflow.launcher.servers.Credentials;
import io.onceflow.launcher.servers.EmbeddedPostgresServer;
import io.onceflow.launcher.servers.Folders;
import io.onceflow.launcher.servers.FreePorts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** A PostgreSQL server of the test's own, with a table {@code note}. */
public final class OwnDatabase implements AutoCloseable {

  private static final String NAME = "orders";

  private final Path home;
  private final int port = FreePorts.next();
  private final EmbeddedPostgresServer server;

  public OwnDatabase() throws IOException, SQLException {
    this.home = Files.createTempDirectory("onceflow-database");
    this.server = EmbeddedPostgresServer.start(home, port, home.resolve("log"));
    asSuperuser(NAME, "CREATE TABLE note (text text)", "ALTER TABLE note OWNER TO " + NAME);
  }

  /** Its connections, as one process has them. */
  public AgroalDataSource pool(String process) throws SQLException {
    return AgroalDataSource.from(
        new AgroalDataSourceConfigurationSupplier()
            .connectionPoolConfiguration(
                connections ->
                    connections
                        .maxSize(20)
                        .exceptionSorter(new PostgreSQLExceptionSorter())
                        .connectionFactoryConfiguration(
                            factory ->
                                factory
                                    .jdbcUrl(jdbcUrl() + "?ApplicationName=" + process)
                                    .principal(new NamePrincipal(NAME))
                                    .credential(new SimplePassword(Credentials.PASSWORD)))));
  }

  public String jdbcUrl() {
    return server.jdbcUrl(NAME);
  }

  public int port() {
    return port;
  }

  /** Runs statements, each in its own transaction; returns what the last one answers. */
  public String asSuperuser(String database, String... statements) throws SQLException {
    try (Connection superuser =
            DriverManager.getConnection(
                server.jdbcUrl(database), "postgres", server.superuserPassword());
        Statement statement = superuser.createStatement()) {
      String answer = "";
      for (String sql : statements) {
        if (statement.execute(sql)) {
          try (ResultSet rows = statement.getResultSet()) {
            answer = rows.next() ? String.valueOf(rows.getString(1)) : "";
          }
        }
      }
      return answer;
    } catch (IOException e) {
      throw new SQLException(e);
    }
  }

  public String ask(String sql) {
    try {
      return asSuperuser(NAME, sql);
    } catch (SQLException e) {
      throw new IllegalStateException(sql, e);
    }
  }

  @Override
  public void close() throws IOException {
    server.close();
    Folders.delete(home);
  }
}
