package io.onceflow.internal.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.quickstart.testing.TestServers;
import io.onceflow.sql.Sql;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class LongScanTest {

  /** Seen red: the driver closed the connection after its own timeout. */
  @Test
  void takesLongerThanTheTimeoutsOfServerAndDriverAllow() throws SQLException {
    TestServers servers = TestServers.shared();
    Properties properties = new Properties();
    properties.setProperty("user", servers.user("orders"));
    properties.setProperty("password", servers.password());
    properties.setProperty("socketTimeout", "1");
    properties.setProperty("options", "-c statement_timeout=500ms");
    try (Connection tx = DriverManager.getConnection(servers.jdbcUrl("orders"), properties)) {
      tx.setAutoCommit(false);
      assertThat(LongScan.in(tx, LongScanTest::ask)).containsExactly("done");
      assertThat(tx.getNetworkTimeout()).isEqualTo(1_000);
      assertThat(Sql.query(tx, "SHOW statement_timeout", row -> row.text("statement_timeout")))
          .containsExactly("500ms");
    }
  }

  private static List<String> ask(Connection tx) throws SQLException {
    return Sql.query(tx, "SELECT 'done' AS told FROM pg_sleep(1.5)", row -> row.text("told"));
  }
}
