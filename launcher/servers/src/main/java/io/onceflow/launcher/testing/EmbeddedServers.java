package io.onceflow.launcher.testing;

import io.onceflow.launcher.servers.EmbeddedBroker;
import io.onceflow.launcher.servers.EmbeddedPostgresServer;
import io.onceflow.launcher.servers.EmbeddedRedis;
import io.onceflow.launcher.servers.Folders;
import io.onceflow.launcher.servers.FreePorts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** PostgreSQL from binaries, and the broker in this JVM, which forgets all when it is stopped. */
final class EmbeddedServers implements Servers {

  private final EmbeddedPostgresServer postgres;
  private final int brokerPort;
  private @Nullable EmbeddedBroker broker;
  private boolean brokerWasAskedFor;
  private final int redisPort = FreePorts.next();
  private @Nullable EmbeddedRedis redis;
  private @Nullable Path redisFolder;

  EmbeddedServers() {
    try {
      postgres = EmbeddedPostgresServer.startTemporary();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    brokerPort = FreePorts.next();
  }

  @Override
  public String description() {
    return "the embedded stack (PostgreSQL on port %s, Qpid Broker-J on port %s)"
        .formatted(postgres.port(), brokerPort);
  }

  @Override
  public String jdbcUrl(String database) {
    return postgres.jdbcUrl(database);
  }

  @Override
  public void createDatabase(String name) {
    try {
      postgres.createDatabase(name);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (SQLException e) {
      throw new IllegalStateException("The database %s could not be made".formatted(name), e);
    }
  }

  @Override
  public String brokerHost() {
    startBrokerOnce();
    return "localhost";
  }

  @Override
  public int brokerPort() {
    startBrokerOnce();
    return brokerPort;
  }

  private synchronized void startBrokerOnce() {
    if (!brokerWasAskedFor) {
      startBroker();
    }
  }

  @Override
  public synchronized void stopBroker() {
    brokerWasAskedFor = true;
    if (broker != null) {
      broker.close();
      broker = null;
    }
  }

  @Override
  public synchronized void startBroker() {
    brokerWasAskedFor = true;
    if (broker != null) {
      return;
    }
    try {
      broker = EmbeddedBroker.start(brokerPort);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public String redisUrl() {
    startRedis();
    return "redis://localhost:" + redisPort;
  }

  @Override
  public synchronized void stopRedis() {
    if (redis != null) {
      redis.close();
      redis = null;
      deleteRedisFolder();
    }
  }

  /** Its binary is large, and a test run may start it many times. */
  private void deleteRedisFolder() {
    try {
      if (redisFolder != null) {
        Folders.delete(redisFolder);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public synchronized void startRedis() {
    if (redis != null) {
      return;
    }
    try {
      redisFolder = Files.createTempDirectory("onceflow-redis");
      redis = EmbeddedRedis.start(redisFolder, redisPort);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    try {
      stopBroker();
      stopRedis();
    } finally {
      postgres.close();
    }
  }
}
