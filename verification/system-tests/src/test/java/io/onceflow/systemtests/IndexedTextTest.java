package io.onceflow.systemtests;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.launcher.testing.TestServers;
import java.io.IOException;
import java.lang.module.ModuleDescriptor.Version;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * All text that is indexed is compared byte by byte: by a locale of the operating system, an update
 * that sorts otherwise would leave indexes in which rows are not found, and keys that are there
 * twice.
 */
class IndexedTextTest {

  private static final List<String> MODULES =
      List.of(
          "common-idempotency/http",
          "common-idempotency/inbox",
          "common-idempotency/outbox",
          "saga-engine/runtime",
          "integrations/reconciliation",
          "integrations/stripe",
          "integrations/easypost",
          "order-service",
          "payment-service",
          "shipping-service");

  private static final String BY_LOCALE =
      """
      SELECT indexrelid::regclass::text
      FROM   pg_index,
             unnest(indcollation::oid[]) AS compared (by)
      JOIN   pg_collation ON pg_collation.oid = compared.by
      WHERE  collname <> 'C'
      AND    indrelid IN (SELECT oid
                          FROM   pg_class
                          WHERE  relnamespace NOT IN ('pg_catalog'::regnamespace, 'pg_toast'::regnamespace))
      """;

  @Test
  void isComparedByteByByte() throws Exception {
    TestServers servers = TestServers.shared();
    String name = "indexed_text";
    servers.createDatabase(name);
    try (Connection connection =
            DriverManager.getConnection(
                servers.jdbcUrl(name), servers.user(name), servers.password());
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(false); // another run finds it empty
      for (String module : MODULES) {
        for (Path migration : migrations(module)) {
          statement.execute(Files.readString(migration));
        }
      }
      assertThat(texts(statement, "SELECT indexname FROM pg_indexes WHERE schemaname = 'public'"))
          .contains("idempotency_record_pkey", "saga_instance_due", "stripe_refund_pkey");
      assertThat(texts(statement, BY_LOCALE)).isEmpty();
      connection.rollback();
    }
  }

  private static List<Path> migrations(String module) throws IOException {
    Path resources = Project.file(module).resolve("src/main/resources/db");
    try (Stream<Path> files = Files.walk(resources)) {
      return files
          .filter(file -> file.toString().endsWith(".sql"))
          .sorted(Comparator.comparing(IndexedTextTest::version))
          .toList();
    }
  }

  /** As Flyway orders them: 0.4.10 comes after 0.4.9. */
  private static Version version(Path script) {
    String name = script.getFileName().toString();
    return Version.parse(name.substring(1, name.indexOf("__")).replace('_', '.'));
  }

  private static List<String> texts(Statement statement, String query) throws SQLException {
    List<String> texts = new ArrayList<>();
    try (ResultSet rows = statement.executeQuery(query)) {
      while (rows.next()) {
        texts.add(rows.getString(1));
      }
    }
    return texts;
  }
}
