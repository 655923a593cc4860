package io.onceflow.quarkus.trip;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.quickstart.testing.TestServers;
import io.quarkus.test.QuarkusUnitTest;
import jakarta.inject.Inject;
import java.util.List;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A database that was migrated when product and application had one history. */
class EarlierDatabaseTest {

  @RegisterExtension
  static final QuarkusUnitTest APPLICATION =
      TripApplication.on("orders")
          .setBeforeAllCustomizer(EarlierDatabaseTest::migrateIntoOneHistory)
          .overrideConfigKey("quarkus.flyway.ignore-migration-patterns", "*:missing,*:future")
          .withApplicationRoot(
              jar ->
                  jar.addPackage(EarlierDatabaseTest.class.getPackage())
                      .addAsResource(
                          "V1__create_account.sql", "db/migration/V1__create_account.sql"));

  @Inject DataSource database;

  private static void migrateIntoOneHistory() {
    TestServers servers = TestServers.shared();
    Flyway.configure()
        .dataSource(servers.jdbcUrl("orders"), servers.user("orders"), servers.password())
        .locations("db/onceflow/inbox", "db/onceflow/outbox")
        .load()
        .migrate();
  }

  @Test
  void isMigratedOnFromWhereItStands() throws Exception {
    List<String> product = Histories.of(database, "onceflow_schema_history");
    assertThat(product).contains("0.2.1", "0.3.1").doesNotContain("1");
    List<String> before = Histories.of(database, "flyway_schema_history");
    assertThat(before.removeLast()).isEqualTo("1");
    assertThat(product).isEqualTo(before);
  }
}
