package com.example.giftcards;

import static org.awaitility.Awaitility.await;

import io.onceflow.launcher.servers.FreePorts;
import io.onceflow.launcher.testing.TestServers;
import io.onceflow.launcher.testing.TestTokens;
import io.onceflow.launcher.token.Tokens;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** What {@code package} has made, as a process of its own. */
final class PackagedApplication implements AutoCloseable {

  private static final Path FOLDER = folder();

  /** Starting takes seconds, on two busy cores ten times that. */
  private static final Duration READY_WITHIN = Duration.ofMinutes(3);

  private final URI url = URI.create("http://localhost:" + FreePorts.next() + "/");
  private final Process process;

  /**
   * Starts it and waits until it is ready.
   *
   * @param configuration beside its addresses, as environment variables
   */
  PackagedApplication(Map<String, String> configuration) {
    process = start(url, configuration, log());
    await("gift-cards is ready; else see " + log())
        .atMost(READY_WITHIN)
        .failFast(() -> !process.isAlive())
        .until(this::isReady);
  }

  /** Starts it, waits until it gives up, and returns what it had to say. */
  static String startInVain(Map<String, String> configuration) throws Exception {
    Path said = Files.createTempFile(FOLDER, "gift-cards", ".log");
    URI nowhere = URI.create("http://localhost:" + FreePorts.next() + "/");
    Process process = start(nowhere, configuration, said);
    try {
      await().atMost(READY_WITHIN).until(() -> !process.isAlive());
      return Files.readString(said);
    } finally {
      process.destroyForcibly().waitFor();
    }
  }

  URI url() {
    return url;
  }

  /** As {@code kill -9} does: it gets to do nothing any more. */
  void kill() {
    try {
      process.destroyForcibly().waitFor();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    kill();
  }

  /** The names of the libraries that it was packaged with. */
  static List<String> libraries() throws IOException {
    try (Stream<Path> files = Files.list(FOLDER.resolve("quarkus-app/lib/main"))) {
      return files.map(file -> file.getFileName().toString()).toList();
    }
  }

  private static Process start(URI url, Map<String, String> configuration, Path log) {
    Path jar = FOLDER.resolve("quarkus-app/quarkus-run.jar");
    if (!Files.exists(jar)) {
      throw new IllegalStateException("not packaged; run ./mvnw verify, which packages it first");
    }
    ProcessBuilder builder =
        new ProcessBuilder(
                java(),
                "-Xmx256m",
                "-XX:+UseSerialGC",
                // It does not live for as long as the optimizing compiler takes to pay off.
                "-XX:TieredStopAtLevel=1",
                "-jar",
                jar.toString())
            .redirectErrorStream(true)
            .redirectOutput(Redirect.appendTo(log.toFile()));
    builder.environment().putAll(addresses(url));
    builder.environment().putAll(configuration);
    try {
      return builder.start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Map<String, String> addresses(URI url) {
    TestServers servers = TestServers.shared();
    return Map.of(
        "QUARKUS_HTTP_HOST", "localhost",
        "QUARKUS_HTTP_PORT", Integer.toString(url.getPort()),
        "QUARKUS_DATASOURCE_JDBC_URL", servers.jdbcUrl("orders"),
        "QUARKUS_DATASOURCE_USERNAME", servers.user("orders"),
        "QUARKUS_DATASOURCE_PASSWORD", servers.password(),
        "MP_JWT_VERIFY_PUBLICKEY", TestTokens.publicKey(),
        "MP_JWT_VERIFY_ISSUER", Tokens.ISSUER);
  }

  private boolean isReady() {
    try {
      URI health = url.resolve("q/health/ready");
      HttpURLConnection connection = (HttpURLConnection) health.toURL().openConnection();
      connection.setConnectTimeout(1_000);
      connection.setReadTimeout(5_000);
      return connection.getResponseCode() == 200;
    } catch (IOException e) {
      return false;
    }
  }

  private static Path log() {
    return FOLDER.resolve("gift-cards.log");
  }

  private static String java() {
    return Path.of(System.getProperty("java.home"), "bin", "java").toString();
  }

  /** This module's {@code target}, wherever the tests are started. */
  private static Path folder() {
    try {
      Path classes =
          Path.of(
              PackagedApplication.class
                  .getProtectionDomain()
                  .getCodeSource()
                  .getLocation()
                  .toURI());
      return classes.resolveSibling("");
    } catch (java.net.URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }
}
