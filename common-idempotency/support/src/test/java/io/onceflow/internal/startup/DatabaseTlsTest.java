package io.onceflow.internal.startup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.onceflow.idempotency.testing.TestAuthority;
import io.onceflow.launcher.testing.TestServers;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.wait.strategy.Wait;
import org.testcontainers.images.builder.Transferable;
import org.testcontainers.utility.DockerImageName;

/**
 * A PostgreSQL with a certificate for {@code localhost}, which refuses connections without TLS, and
 * its user {@code mutual} only with a certificate of his own. Without containers these tests are
 * left out.
 */
@Tag("nightly")
class DatabaseTlsTest {

  private static final int PORT = 5432;
  private static final String WHO_MAY =
      """
      local all all trust
      hostssl all mutual all scram-sha-256 clientcert=verify-full
      hostssl all all all scram-sha-256
      """;

  /** The key file must belong to the server, without access for others. */
  private static final String COMMAND =
      "install -m 600 -o postgres /tls/server.pem /tmp/server.pem"
          + " && exec docker-entrypoint.sh postgres -c ssl=on -c ssl_cert_file=/tls/server.crt"
          + " -c ssl_key_file=/tmp/server.pem -c ssl_ca_file=/tls/ca.crt"
          + " -c hba_file=/tls/pg_hba.conf";

  private static final TestAuthority AUTHORITY = new TestAuthority("Onceflow tests");

  @TempDir static Path folder;
  private static GenericContainer<?> postgres;
  private static Path ca;

  @BeforeAll
  static void startDatabase() {
    assumeTrue(TestServers.shared().inContainers(), "needs PostgreSQL in a container");
    ca = AUTHORITY.writeTo(folder.resolve("ca.crt"));
    AUTHORITY.sign("mutual").writeTo(folder, "client");
    TestAuthority.Identity server = AUTHORITY.sign("localhost");
    postgres =
        new GenericContainer<>(DockerImageName.parse("postgres:17"))
            .withExposedPorts(PORT)
            .withEnv("POSTGRES_PASSWORD", "onceflow")
            .withCopyToContainer(Transferable.of(AUTHORITY.pem()), "/tls/ca.crt")
            .withCopyToContainer(Transferable.of(server.certificate()), "/tls/server.crt")
            .withCopyToContainer(Transferable.of(server.key()), "/tls/server.pem")
            .withCopyToContainer(Transferable.of(WHO_MAY), "/tls/pg_hba.conf")
            .withCopyToContainer(
                Transferable.of("CREATE ROLE mutual LOGIN PASSWORD 'onceflow'"),
                "/docker-entrypoint-initdb.d/mutual.sql")
            .withCommand("bash", "-c", COMMAND)
            .waitingFor(Wait.forLogMessage(".*database system is ready to accept connections.*", 2))
            .withStartupTimeout(Duration.ofMinutes(2));
    postgres.start();
  }

  @AfterAll
  static void stopDatabase() {
    if (postgres != null) {
      postgres.stop();
    }
  }

  private static DatabaseLogin login(String host, String user, String parameters) {
    String url = "jdbc:postgresql://%s:%d/postgres?%s";
    return new DatabaseLogin(
        url.formatted(host, postgres.getMappedPort(PORT), parameters), user, "onceflow", "");
  }

  private static String verified(Path authority) {
    return "sslmode=verify-full&sslrootcert=" + authority;
  }

  @Test
  void aDatabaseThatIsWhatItSaysLetsUsIn() {
    assertThat(login("localhost", "postgres", verified(ca)).refusal()).isEmpty();
  }

  @Test
  void aUserShowsHisCertificate() {
    // The driver takes a key in PEM form for an RSA one, unless it is told.
    String certificate =
        "&sslcert=%s/client.crt&sslkey=%s/client.pem&pemKeyAlgorithm=EC".formatted(folder, folder);
    assertThat(login("localhost", "mutual", verified(ca) + certificate).refusal()).isEmpty();
    assertThat(login("localhost", "mutual", verified(ca)).refusal())
        .get()
        .asString()
        .contains("refuses user mutual", "client certificate");
  }

  @Test
  void aDatabaseUnderAnotherNameIsRefused() {
    isRefusedOnOneLine(login("127.0.0.1", "postgres", verified(ca)), "127.0.0.1");
  }

  @Test
  void aDatabaseOfAnotherAuthorityIsRefused() {
    Path other = new TestAuthority("Somebody else").writeTo(folder.resolve("other.crt"));
    isRefusedOnOneLine(login("localhost", "postgres", verified(other)), "PKIX path");
  }

  @Test
  void withoutTlsNobodyIsLetIn() {
    isRefusedOnOneLine(login("localhost", "postgres", "sslmode=disable"), "no encryption");
  }

  private static void isRefusedOnOneLine(DatabaseLogin login, String why) {
    assertThat(login.refusal()).get().asString().contains(why).doesNotContain("\n");
  }
}
