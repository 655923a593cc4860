package io.onceflow.systemtests;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.launcher.testing.TestServers;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Migrations as Kubernetes has them run: by a Job, which ends when they are done; the service
 * itself runs none, and does not start before they are.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class MigrationsTest {

  private static final int JOBS = 3;
  private static final long ENDS_WITHIN_SECONDS = 180;

  private final TestServers servers = TestServers.shared();
  private final Database database = new Database(servers, "orders");
  private final Path output = Project.output().resolve("migrations");

  /** Empty, in the database of a stack that may be up. */
  private final String schema = "migrations_" + UUID.randomUUID().toString().substring(0, 8);

  @BeforeAll
  void threeJobsRunAtOnce() throws Exception {
    Files.createDirectories(output);
    run("CREATE SCHEMA " + schema);
    List<Process> jobs = new ArrayList<>();
    for (int i = 0; i < JOBS; i++) {
      jobs.add(migrate("job-" + i));
    }
    for (Process job : jobs) {
      expectToEndWell(job);
    }
  }

  @AfterAll
  void dropSchema() throws SQLException {
    run("DROP SCHEMA %s CASCADE".formatted(schema));
  }

  @ParameterizedTest
  @CsvSource({"onceflow_schema_history, 0.4.1", "flyway_schema_history, 001"})
  void eachMigrationHasRunOnce(String table, String version) {
    String history = schema + "." + table;
    assertThat(database.count("SELECT count(*) FROM %s WHERE NOT success".formatted(history)))
        .isZero();
    assertThat(database.texts("SELECT version FROM " + history))
        .doesNotHaveDuplicates()
        .contains(version);
  }

  @Test
  @Tag("nightly")
  void aServiceThatMigratesNothingRunsOnWhatTheyLeave() {
    Map<String, String> environment = environment();
    environment.put("QUARKUS_FLYWAY_MIGRATE_AT_START", "false");
    environment.put("QUARKUS_FLYWAY_VALIDATE_AT_START", "true");
    ServiceProcess service = new ServiceProcess("order-service", output, environment);
    try {
      service.start();
      service.awaitReady();
    } finally {
      service.kill();
    }
  }

  @Test
  @Tag("nightly")
  void aReleaseThatIsGoneBackToLetsNewerMigrationsBe() throws Exception {
    remember("onceflow_schema_history", "0.4.999");
    remember("flyway_schema_history", "999");

    expectToEndWell(migrate("older"));
  }

  /** Not those of the product alone, as when a new version of it comes. */
  @Test
  void aServiceDoesNotStartBeforeTheMigrationsHaveRun() throws Exception {
    Map<String, String> environment = environment();
    environment.put("QUARKUS_FLYWAY_MIGRATE_AT_START", "false");
    environment.put("QUARKUS_FLYWAY_VALIDATE_AT_START", "true");
    String history = schema + ".onceflow_schema_history";
    run("ALTER TABLE %1$s RENAME TO set_aside".formatted(history));
    run("CREATE TABLE %s (LIKE %s.set_aside)".formatted(history, schema));
    try {
      Process service = start("too-early", environment);
      assertThat(service.waitFor(ENDS_WITHIN_SECONDS, TimeUnit.SECONDS)).as("has ended").isTrue();
      assertThat(service.exitValue()).isNotZero();
      assertThat(Files.readString(output.resolve("too-early.log")))
          .contains("migrations of Onceflow have not been run in this database");
    } finally {
      run("DROP TABLE " + history);
      run("ALTER TABLE %s.set_aside RENAME TO onceflow_schema_history".formatted(schema));
    }
  }

  private static void expectToEndWell(Process job) throws InterruptedException {
    assertThat(job.waitFor(ENDS_WITHIN_SECONDS, TimeUnit.SECONDS)).as("has ended").isTrue();
    assertThat(job.exitValue()).isZero();
  }

  /** As if a newer release had run a migration that this one does not hold. */
  private void remember(String history, String version) throws SQLException {
    run(
        "INSERT INTO %s.%s VALUES (100, '%s', 'of a later release', 'SQL', 'V.sql', 1, 'newer', now(), 1, true)"
            .formatted(schema, history, version));
  }

  private Process migrate(String job) throws IOException {
    Map<String, String> environment = environment();
    // As in deploy/kubernetes/base.
    environment.put("QUARKUS_INIT_AND_EXIT", "true");
    return start(job, environment);
  }

  private Process start(String name, Map<String, String> environment) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx192m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
    command.addAll(ClassArchive.of("order-service").use());
    command.addAll(List.of("-jar", Project.jar("order-service").toString()));
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(Redirect.to(output.resolve(name + ".log").toFile()));
    builder.environment().putAll(environment);
    return builder.start();
  }

  /** With no broker to be found: a second order service must not take the replies of the first. */
  private Map<String, String> environment() {
    String url = servers.jdbcUrl("orders");
    String separator = url.contains("?") ? "&" : "?";
    Map<String, String> environment = new HashMap<>();
    environment.put("QUARKUS_DATASOURCE_JDBC_URL", url + separator + "currentSchema=" + schema);
    environment.put("QUARKUS_DATASOURCE_USERNAME", servers.user("orders"));
    environment.put("QUARKUS_DATASOURCE_PASSWORD", servers.password());
    environment.put("RABBITMQ_HOST", "localhost");
    environment.put("RABBITMQ_PORT", "1");
    environment.put("RABBITMQ_USERNAME", "nobody");
    environment.put("RABBITMQ_PASSWORD", "none");
    environment.put("KAFKA_BOOTSTRAP_SERVERS", "localhost:1");
    environment.put(
        "MP_JWT_VERIFY_PUBLICKEY_LOCATION",
        new Issuer(Project.output().resolve("keys")).publicKey().toString());
    return environment;
  }

  private void run(String sql) throws SQLException {
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
