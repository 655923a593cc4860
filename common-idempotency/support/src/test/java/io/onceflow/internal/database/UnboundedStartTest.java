package io.onceflow.internal.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.agroal.api.AgroalDataSource;
import io.agroal.api.configuration.supplier.AgroalDataSourceConfigurationSupplier;
import io.agroal.api.security.NamePrincipal;
import io.agroal.api.security.SimplePassword;
import io.onceflow.launcher.testing.TestServers;
import io.quarkus.runtime.StartupEvent;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Migrations are not cut off by the bounds of requests, which hold from the start on. */
@Timeout(30)
class UnboundedStartTest {

  private static final int SOCKET_SECONDS = 1;

  private final UnboundedStart unbounded = new UnboundedStart();
  private AgroalDataSource pool;

  /** One connection, which is given back between the statements. */
  @BeforeEach
  void connect() throws SQLException {
    TestServers servers = TestServers.shared();
    pool =
        AgroalDataSource.from(
            new AgroalDataSourceConfigurationSupplier()
                .connectionPoolConfiguration(
                    connections ->
                        connections
                            .maxSize(1)
                            .connectionFactoryConfiguration(
                                factory ->
                                    factory
                                        .jdbcUrl(servers.jdbcUrl("orders"))
                                        .jdbcProperty("socketTimeout", "" + SOCKET_SECONDS)
                                        .jdbcProperty(
                                            "options",
                                            "-c statement_timeout=500ms"
                                                + " -c idle_in_transaction_session_timeout=700ms")
                                        .principal(new NamePrincipal(servers.user("orders")))
                                        .credential(new SimplePassword(servers.password())))));
    pool.setPoolInterceptors(List.of(unbounded));
  }

  @AfterEach
  void close() {
    pool.close();
  }

  @Test
  void statementsTakeAsLongAsTheyNeedUntilTheApplicationHasStarted() throws SQLException {
    assertThat(ask("SELECT 'done' FROM pg_sleep(1.5)")).isEqualTo("done");
    assertThat(ask("SHOW idle_in_transaction_session_timeout")).isEqualTo("0");
    unbounded.started(new StartupEvent());
    assertThat(ask("SHOW statement_timeout")).isEqualTo("500ms");
    assertThat(ask("SHOW idle_in_transaction_session_timeout")).isEqualTo("700ms");
    try (Connection connection = pool.getConnection()) {
      assertThat(connection.getNetworkTimeout()).isEqualTo(SOCKET_SECONDS * 1000);
    }
    assertThatExceptionOfType(SQLException.class)
        .isThrownBy(() -> ask("SELECT 'done' FROM pg_sleep(1.5)"))
        .satisfies(e -> assertThat(e.getSQLState()).isEqualTo("57014"));
  }

  private String ask(String sql) throws SQLException {
    try (Connection connection = pool.getConnection();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return row.getString(1);
    }
  }
}
