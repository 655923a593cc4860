package io.onceflow.systemtests.chaos.stack;

import io.onceflow.launcher.servers.EmbeddedBroker;
import io.onceflow.launcher.servers.EmbeddedPostgresServer;
import io.onceflow.launcher.servers.Folders;
import io.onceflow.launcher.servers.PostgresProcess;
import io.onceflow.systemtests.Ports;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Optional;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/** PostgreSQL from binaries, and a broker in this JVM, which forgets all when it is killed. */
final class EmbeddedBackends implements Backends {

  /** The broker's logger; held, since a logger without a reference loses its level. */
  private static final Logger QPID = Logger.getLogger("org.apache.qpid");

  private final Path home;
  private final Path log;
  private final int databasePort = Ports.next();
  private final int brokerPort = Ports.next();
  private @Nullable EmbeddedBroker broker;

  EmbeddedBackends(Path logs, boolean withBroker) throws IOException, InterruptedException {
    QPID.setLevel(Level.WARNING);
    home = Files.createTempDirectory("onceflow-chaos");
    log = logs.resolve("postgres.log");
    try {
      startDatabase();
      if (withBroker) {
        startBroker();
      }
    } catch (IOException e) {
      close();
      throw e;
    }
  }

  @Override
  public String description() {
    return "the embedded stack: PostgreSQL, and a broker that keeps nothing when it is killed";
  }

  @Override
  public boolean brokerKeeps() {
    return false;
  }

  @Override
  public int databasePort() {
    return databasePort;
  }

  @Override
  public int brokerPort() {
    return brokerPort;
  }

  /** SIGQUIT is what {@code pg_ctl stop -m immediate} sends: no checkpoint, recovery at start. */
  @Override
  public void killDatabase() throws IOException, InterruptedException {
    Optional<ProcessHandle> server = PostgresProcess.find(home);
    if (server.isPresent()) {
      Signals.send("QUIT", server.get().pid());
      Backends.await("PostgreSQL's end", () -> !server.get().isAlive());
    }
  }

  @Override
  public void startDatabase() throws IOException, InterruptedException {
    if (PostgresProcess.find(home).isEmpty()) {
      EmbeddedPostgresServer.start(home, databasePort, log);
    }
  }

  @Override
  public Connection superuser(String database) throws SQLException {
    try {
      return DriverManager.getConnection(
          jdbcUrl(database), SUPERUSER, EmbeddedPostgresServer.superuserPassword(home));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public synchronized void killBroker() {
    if (broker != null) {
      broker.close();
      broker = null;
    }
  }

  @Override
  public synchronized void startBroker() throws IOException, InterruptedException {
    if (broker == null) {
      broker = EmbeddedBroker.start(brokerPort);
      Backends.await("The broker", this::speaksAmqp);
    }
  }

  @Override
  public boolean canAlarm() {
    return false;
  }

  @Override
  public void alarm(boolean raised) throws IOException {
    throw new IOException("The embedded broker has no alarms");
  }

  @Override
  public void close() {
    killBroker();
    PostgresProcess.stop(home);
    try {
      Folders.delete(home);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
