package io.onceflow.redis.internal;

import static org.awaitility.Awaitility.await;

import io.onceflow.idempotency.testing.TestAuthority;
import io.onceflow.launcher.servers.FreePorts;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import redis.embedded.core.ExecutableProvider;

/**
 * A Redis that {@code deploy/redis/start.sh} starts, as in Docker Compose and in Kubernetes, with a
 * certificate for {@code localhost}.
 */
final class ScriptedRedis implements AutoCloseable {

  static final String PASSWORD = "a-password";

  private static final String SCRIPT = "deploy/redis/start.sh";

  private final Process process;
  private final int port = FreePorts.next();

  /**
   * Starts it and returns when it listens.
   *
   * @param home an empty folder of its own
   */
  ScriptedRedis(Path home, TestAuthority authority) throws IOException {
    authority.writeTo(home.resolve("ca.crt"));
    authority.sign("localhost").writeTo(home, "tls");
    Files.move(home.resolve("tls.pem"), home.resolve("tls.key"));
    File log = home.resolve("redis.log").toFile();
    ProcessBuilder start = new ProcessBuilder("sh", script().toString());
    start
        .environment()
        .putAll(
            Map.of(
                "PATH",
                binary(home).getParent() + File.pathSeparator + System.getenv("PATH"),
                "REDIS_PASSWORD",
                PASSWORD,
                "REDIS_PORT",
                Integer.toString(port),
                "REDIS_TLS_FOLDER",
                home.toString()));
    process = start.redirectErrorStream(true).redirectOutput(log).start();
    await().until(() -> !process.isAlive() || isReady(log.toPath()));
    if (!process.isAlive()) {
      throw new IOException("Redis did not start: " + Files.readString(log.toPath()));
    }
  }

  /** Of this checkout. */
  private static Path script() {
    return Stream.iterate(Path.of("").toAbsolutePath(), Objects::nonNull, Path::getParent)
        .map(folder -> folder.resolve(SCRIPT))
        .filter(Files::exists)
        .findFirst()
        .orElseThrow();
  }

  /** The server that comes with the launcher, under the name by which the script calls it. */
  private static Path binary(Path home) throws IOException {
    Path folder = Files.createDirectory(home.resolve("bin"));
    Path binary = ExecutableProvider.newJarResourceProvider(folder.toFile()).get().toPath();
    return Files.createSymbolicLink(folder.resolve("redis-server"), binary);
  }

  private static boolean isReady(Path log) {
    try {
      return Files.readString(log).contains("Ready to accept connections");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  int port() {
    return port;
  }

  @Override
  public void close() {
    process.destroyForcibly().onExit().join();
  }
}
