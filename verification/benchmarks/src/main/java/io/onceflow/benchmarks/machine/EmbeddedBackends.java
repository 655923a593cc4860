package io.onceflow.benchmarks.machine;

import io.onceflow.launcher.servers.EmbeddedPostgresServer;
import io.onceflow.launcher.servers.EmbeddedRedis;
import io.onceflow.launcher.servers.Folders;
import io.onceflow.launcher.servers.FreePorts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Processes of this machine. PostgreSQL ends with this JVM even where that is killed. */
final class EmbeddedBackends implements BenchBackends {

  private final EmbeddedPostgresServer postgres;
  private final EmbeddedRedis redis;
  private final Path redisHome;

  EmbeddedBackends() throws IOException {
    redisHome = Files.createTempDirectory("onceflow-redis");
    redis = EmbeddedRedis.start(redisHome, FreePorts.next());
    try {
      postgres = EmbeddedPostgresServer.startTemporary();
    } catch (IOException | RuntimeException e) {
      closeRedis();
      throw e;
    }
  }

  @Override
  public String description() {
    return "embedded: processes on the same machine, reached by its loopback interface";
  }

  @Override
  public String jdbcUrl() {
    return postgres.jdbcUrl(DATABASE);
  }

  @Override
  public int redisPort() {
    return redis.port();
  }

  @Override
  public void close() {
    closeRedis();
    postgres.close();
  }

  private void closeRedis() {
    redis.close();
    try {
      Folders.delete(redisHome);
    } catch (IOException e) {
      throw new UncheckedIOException("Temporary data cannot be deleted", e);
    }
  }
}
