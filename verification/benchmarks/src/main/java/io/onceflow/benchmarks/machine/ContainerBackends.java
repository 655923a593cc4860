package io.onceflow.benchmarks.machine;

import io.onceflow.launcher.servers.Credentials;
import java.time.Duration;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.wait.strategy.Wait;
import org.testcontainers.lifecycle.Startables;
import org.testcontainers.utility.DockerImageName;

/** Containers of the images that docker-compose.yml uses, with their default settings. */
final class ContainerBackends implements BenchBackends {

  private static final int POSTGRES_PORT = 5432;
  private static final int REDIS_PORT = 6379;

  /** Images that have to be pulled are not counted in. */
  private static final Duration STARTUP_TIMEOUT = Duration.ofMinutes(2);

  private final GenericContainer<?> postgres =
      new GenericContainer<>(DockerImageName.parse("postgres:17"))
          .withExposedPorts(POSTGRES_PORT)
          .withEnv("POSTGRES_DB", DATABASE)
          .withEnv("POSTGRES_USER", DATABASE)
          .withEnv("POSTGRES_PASSWORD", Credentials.PASSWORD)
          // It starts twice: once to set itself up, unreachable from outside.
          .waitingFor(Wait.forLogMessage(".*database system is ready to accept connections.*", 2))
          .withStartupTimeout(STARTUP_TIMEOUT);

  private final GenericContainer<?> redis =
      new GenericContainer<>(DockerImageName.parse("redis:8"))
          .withExposedPorts(REDIS_PORT)
          .withCommand("redis-server", "--protected-mode", "no", "--save", "", "--appendonly", "no")
          .waitingFor(Wait.forLogMessage(".*Ready to accept connections.*", 1))
          .withStartupTimeout(STARTUP_TIMEOUT);

  ContainerBackends() {
    try {
      Startables.deepStart(postgres, redis).join();
    } catch (RuntimeException e) {
      close();
      throw e;
    }
  }

  @Override
  public String description() {
    return "docker: containers on the same machine, reached by Docker's published ports";
  }

  @Override
  public String jdbcUrl() {
    return "jdbc:postgresql://%s:%d/%s"
        .formatted(postgres.getHost(), postgres.getMappedPort(POSTGRES_PORT), DATABASE);
  }

  @Override
  public int redisPort() {
    return redis.getMappedPort(REDIS_PORT);
  }

  @Override
  public void close() {
    redis.stop();
    postgres.stop();
  }
}
