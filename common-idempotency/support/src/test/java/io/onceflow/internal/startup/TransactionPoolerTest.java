package io.onceflow.internal.startup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.onceflow.internal.database.OwnDatabase;
import io.onceflow.launcher.servers.Credentials;
import io.onceflow.launcher.servers.FreePorts;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A real PgBouncer between; skipped where there is no {@code pgbouncer} on the PATH. */
@Timeout(60)
@Tag("nightly")
class TransactionPoolerTest {

  private static OwnDatabase database;

  @TempDir private Path home;

  @BeforeAll
  static void start() throws Exception {
    database = new OwnDatabase();
  }

  @AfterAll
  static void stop() throws IOException {
    database.close();
  }

  @Test
  void isNotFoundWhereTheServerAnswersItself() {
    assertThat(login(database.port()).refusal()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "1"})
  void isRefusedInTransactionMode(String roundRobin) throws Exception {
    try (PgBouncer pooler = new PgBouncer("transaction", roundRobin)) {
      await().untilAsserted(() -> assertThat(login(pooler.port).refusal()).isPresent());
      await()
          .untilAsserted(
              () ->
                  assertThat(login(pooler.port).refusal().orElse(""))
                      .contains("behind a pooler in transaction mode", "pool_mode=session"));
    }
  }

  @Test
  void isTakenInSessionMode() throws Exception {
    try (PgBouncer pooler = new PgBouncer("session", "0")) {
      await().untilAsserted(() -> assertThat(login(pooler.port).refusal()).isEmpty());
    }
  }

  /** PgBouncer passes on no options; only the driver sends them, when the service connects. */
  @Test
  void isToldOfOptionsThatItDoesNotPassOn() throws Exception {
    try (PgBouncer pooler = new PgBouncer("session", "0")) {
      await().untilAsserted(() -> assertThat(login(pooler.port).refusal()).isEmpty());
      assertThat(login(pooler.port, "-c statement_timeout=5s").refusal().orElse(""))
          .contains("unsupported startup parameter: options; add options to ignore_startup_param");
    }
  }

  private static DatabaseLogin login(int port) {
    return login(port, "");
  }

  private static DatabaseLogin login(int port, String options) {
    String direct = database.jdbcUrl();
    return new DatabaseLogin(
        direct.replace(":" + database.port() + "/", ":" + port + "/"),
        "orders",
        Credentials.PASSWORD,
        options);
  }

  /** As root it would refuse to run, so it runs as the user that owns nothing. */
  private final class PgBouncer implements AutoCloseable {

    private final int port = FreePorts.next();
    private final Process process;

    private PgBouncer(String mode, String roundRobin) throws IOException {
      Optional<Path> program =
          Arrays.stream(System.getenv("PATH").split(File.pathSeparator))
              .map(folder -> Path.of(folder, "pgbouncer"))
              .filter(Files::isExecutable)
              .findFirst();
      assumeTrue(program.isPresent(), "there is no pgbouncer on the PATH");
      Path users = home.resolve("users");
      Files.writeString(users, "\"orders\" \"%s\"\n".formatted(Credentials.PASSWORD));
      Path settings = home.resolve("pgbouncer.ini");
      Files.writeString(
          settings,
          """
          [databases]
          orders = host=127.0.0.1 port=%d dbname=orders
          [pgbouncer]
          listen_addr = 127.0.0.1,::1
          listen_port = %d
          unix_socket_dir =
          auth_type = plain
          auth_file = %s
          pool_mode = %s
          server_round_robin = %s
          ignore_startup_parameters = extra_float_digits
          user = nobody
          """
              .formatted(database.port(), port, users, mode, roundRobin));
      Files.setPosixFilePermissions(home, PosixFilePermissions.fromString("rwxr-xr-x"));
      process =
          new ProcessBuilder(program.get().toString(), settings.toString())
              .redirectErrorStream(true)
              .redirectOutput(home.resolve("log").toFile())
              .start();
    }

    @Override
    public void close() {
      process.destroyForcibly().onExit().join();
    }
  }
}
