package io.onceflow.systemtests;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.quickstart.testing.TestServers;
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
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Migrations as Kubernetes has them run: by an init container of each pod that starts, which ends
 * when they are done; the service itself runs none.
 */
class MigrationsTest {

  private static final int PODS = 3;
  private static final long ENDS_WITHIN_SECONDS = 180;

  private final TestServers servers = TestServers.shared();
  private final Database database = new Database(servers, "orders");
  private final Path output = Project.output().resolve("migrations");

  /** Empty, in the database of a stack that may be up. */
  private final String schema = "migrations_" + UUID.randomUUID().toString().substring(0, 8);

  @BeforeEach
  void createSchema() throws Exception {
    Files.createDirectories(output);
    run("CREATE SCHEMA " + schema);
  }

  @AfterEach
  void dropSchema() throws SQLException {
    run("DROP SCHEMA %s CASCADE".formatted(schema));
  }

  @Test
  void podsThatStartAtOnceMigrateByTurnsAndTheServiceRunsOnWhatTheyLeave() throws Exception {
    List<Process> pods = new ArrayList<>();
    for (int i = 0; i < PODS; i++) {
      pods.add(migrate("pod-" + i));
    }
    for (Process pod : pods) {
      assertThat(pod.waitFor(ENDS_WITHIN_SECONDS, TimeUnit.SECONDS)).as("has ended").isTrue();
      assertThat(pod.exitValue()).isZero();
    }

    assertThat(
            database.count(
                "SELECT count(*) FROM %s.flyway_schema_history WHERE NOT success"
                    .formatted(schema)))
        .isZero();
    assertThat(database.texts("SELECT version FROM %s.flyway_schema_history".formatted(schema)))
        .doesNotHaveDuplicates()
        .contains("0.1.1", "0.4.1", "001");

    expectToBecomeReady();
  }

  private void expectToBecomeReady() {
    Map<String, String> environment = environment();
    environment.put("QUARKUS_FLYWAY_MIGRATE_AT_START", "false");
    ServiceProcess service = new ServiceProcess("order-service", output, environment);
    try {
      service.start();
      service.awaitReady();
    } finally {
      service.kill();
    }
  }

  private Process migrate(String pod) throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx192m",
                "-XX:+UseSerialGC",
                "-jar",
                Project.jar("order-service").toString())
            .redirectErrorStream(true)
            .redirectOutput(Redirect.to(output.resolve(pod + ".log").toFile()));
    builder.environment().putAll(environment());
    builder.environment().put("QUARKUS_INIT_AND_EXIT", "true");
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
    environment.put("RABBITMQ_PORT", "1");
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
