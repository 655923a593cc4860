package io.onceflow.systemtests;

import static io.restassured.RestAssured.given;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * A real Keycloak with the realm of {@code deploy/keycloak}, in a process of its own. The Maven
 * profile {@code keycloak} unpacks it.
 */
final class KeycloakServer implements AutoCloseable {

  /** The folder that it was unpacked to. */
  static final String HOME = "ONCEFLOW_KEYCLOAK";

  static final String CLIENT = "onceflow";
  static final String SECRET = "for-trying-out-on-one-machine-only";

  /** It takes half a minute on an idle machine. */
  private static final Duration READY_WITHIN = Duration.ofMinutes(6);

  /** Where the realm's file expects the console. */
  private static final String SHIPPED_CONSOLE = "http://localhost:8080";

  private final Path home = Path.of(System.getenv(HOME));
  private final int port = Ports.next();
  private final Path log = Project.output().resolve("keycloak.log");
  private final Process process;

  /**
   * Starts it and waits until it answers.
   *
   * @param orders the address of the service whose console it signs people in to
   */
  KeycloakServer(String orders) {
    try {
      importRealm(orders);
      process = start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    await("Keycloak answers, see " + log)
        .atMost(READY_WITHIN)
        .pollInterval(Duration.ofSeconds(1))
        .failFast(() -> !process.isAlive())
        .ignoreExceptions()
        .until(
            () -> given().get(issuer() + "/.well-known/openid-configuration").statusCode() == 200);
  }

  /** Into an empty server: one that has the realm already does not read the file. */
  private void importRealm(String orders) throws IOException {
    Path data = home.resolve("data");
    if (Files.exists(data)) {
      try (Stream<Path> files = Files.walk(data)) {
        files.sorted(Comparator.reverseOrder()).forEach(file -> file.toFile().delete());
      }
    }
    String realm = Files.readString(Project.file("deploy/keycloak/onceflow-realm.json"));
    Path folder = Files.createDirectories(data.resolve("import"));
    Files.writeString(
        folder.resolve("onceflow-realm.json"), realm.replace(SHIPPED_CONSOLE, orders));
  }

  private Process start() throws IOException {
    Files.createDirectories(log.getParent());
    ProcessBuilder builder =
        new ProcessBuilder(
                "bash",
                home.resolve("bin/kc.sh").toString(),
                "start-dev",
                "--http-host=127.0.0.1",
                "--http-port=" + port,
                "--import-realm")
            .redirectErrorStream(true)
            .redirectOutput(Redirect.to(log.toFile()));
    builder
        .environment()
        .putAll(
            Map.of(
                "JAVA_HOME", System.getProperty("java.home"),
                "JAVA_OPTS_KC_HEAP", "-Xms64m -Xmx512m",
                // For a JDK that is newer than it.
                "JAVA_OPTS_APPEND", "-Dnet.bytebuddy.experimental=true"));
    Process started = builder.start();
    Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(started), "keycloak-stop"));
    return started;
  }

  String issuer() {
    return "http://127.0.0.1:%d/realms/onceflow".formatted(port);
  }

  /** What the order service is told to sign its operators in here. */
  Map<String, String> settings() {
    return Map.of(
        "QUARKUS_OIDC_AUTH_SERVER_URL", issuer(),
        "QUARKUS_OIDC_CLIENT_ID", CLIENT,
        "QUARKUS_OIDC_CREDENTIALS_SECRET", SECRET);
  }

  /** An access token of a program that acts for a user. */
  String accessToken(String user) {
    return given()
        .formParams(
            Map.of(
                "grant_type", "password",
                "client_id", CLIENT,
                "client_secret", SECRET,
                "username", user,
                "password", user))
        .post(issuer() + "/protocol/openid-connect/token")
        .then()
        .statusCode(200)
        .extract()
        .path("access_token");
  }

  @Override
  public void close() {
    stop(process);
  }

  /** The script and the server that it has started. */
  private static void stop(Process started) {
    List<ProcessHandle> children = started.descendants().toList();
    started.destroyForcibly();
    children.forEach(ProcessHandle::destroyForcibly);
  }
}
