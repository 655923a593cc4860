package io.onceflow.quickstart.servers;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A PostgreSQL server from unpacked binaries, as durable as an installed one. It holds the
 * databases {@code orders}, {@code payments} and {@code shipping}, each with a user of the same
 * name whose password is {@link Credentials#PASSWORD}.
 *
 * <p>The server is a process of its own: a JVM that is killed leaves it running.
 */
public final class EmbeddedPostgresServer implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(EmbeddedPostgresServer.class);

  /** Three services with their pools, their tests, and a person with psql. */
  private static final int MAX_CONNECTIONS = 200;

  /** Unpacked, initialized and recovered on a slow machine that is busy with other things. */
  private static final Duration STARTUP_WAIT = Duration.ofSeconds(60);

  /** A checkpoint of what a trial has written; past this it recovers at its next start instead. */
  private static final Duration STOP_WAIT = Duration.ofSeconds(20);

  /** Passwords are checked as in production; only the superuser needs none, from this machine. */
  private static final List<String> ACCESS_RULES =
      List.of(
          "local all postgres trust",
          "host all postgres 127.0.0.1/32 trust",
          "host all postgres ::1/128 trust",
          "host all all 127.0.0.1/32 scram-sha-256",
          "host all all ::1/128 scram-sha-256");

  private final EmbeddedPostgres server;

  private EmbeddedPostgresServer(EmbeddedPostgres server) {
    this.server = server;
  }

  /**
   * Starts a server and waits until it answers.
   *
   * @param home gets the folders {@code data} (kept; made on first use) and {@code binaries}
   * @param port the port on the loopback interface
   * @param log the file to which the server's output is appended
   * @throws IOException if it does not start; the message says where its log is
   */
  public static EmbeddedPostgresServer start(Path home, int port, Path log) throws IOException {
    return start(home.resolve("data"), home.resolve("binaries"), port, log, false);
  }

  /** Starts a server on a free port with data that go away when it is closed. */
  public static EmbeddedPostgresServer startTemporary() throws IOException {
    Path binaries =
        Path.of(System.getProperty("java.io.tmpdir"))
            .resolve("onceflow-postgres-" + System.getProperty("user.name"));
    // The log outlives the data, for whoever asks why the server did not start.
    Path log = Files.createTempFile("onceflow-postgres", ".log");
    Path data = Files.createTempDirectory("onceflow-postgres");
    stopAfterThisProcess(data);
    return start(data, binaries, FreePorts.next(), log, true);
  }

  /** A test's JVM may be killed; its server and its data shall not outlive it for long. */
  private static void stopAfterThisProcess(Path data) throws IOException {
    String script =
        """
        while kill -0 "$1"; do sleep 1; done
        if [ -f "$2/postmaster.pid" ]; then
          kill -INT "$(head -n 1 "$2/postmaster.pid")"
          sleep 5
        fi
        rm -rf "$2"
        """;
    String pid = Long.toString(ProcessHandle.current().pid());
    new ProcessBuilder("sh", "-c", script, "sh", pid, data.toString())
        .redirectOutput(Redirect.DISCARD)
        .redirectError(Redirect.DISCARD)
        .start();
  }

  private static EmbeddedPostgresServer start(
      Path data, Path binaries, int port, Path log, boolean temporary) throws IOException {
    Redirect output = Redirect.appendTo(log.toFile());
    try {
      EmbeddedPostgres server =
          EmbeddedPostgres.builder()
              .setOverrideWorkingDirectory(binaries.toFile())
              .setDataDirectory(data)
              .setCleanDataDirectory(temporary)
              .setRegisterShutdownHook(false)
              .setDataDirectoryCustomizer(EmbeddedPostgresServer::writeAccessRules)
              .setPort(port)
              .setPGStartupWait(STARTUP_WAIT)
              .setOutputRedirector(output)
              .setErrorRedirector(output)
              // The same sort order and upper case on every machine, whatever its LANG says.
              .setLocaleConfig("locale", "C")
              .setLocaleConfig("locale-provider", "builtin")
              .setLocaleConfig("builtin-locale", "C.UTF-8")
              // The library switches both off for quick tests. Nothing here may lose a commit.
              .setServerConfig("fsync", "on")
              .setServerConfig("synchronous_commit", "on")
              .setServerConfig("max_connections", Integer.toString(MAX_CONNECTIONS))
              // Loopback only: no socket file in /tmp that another PostgreSQL might own.
              .setServerConfig("unix_socket_directories", "")
              .start();
      return createDatabases(new EmbeddedPostgresServer(server));
    } catch (IOException | RuntimeException e) {
      throw new IOException(
          "PostgreSQL did not start on port %d; its log: %s".formatted(port, log), e);
    }
  }

  private static void writeAccessRules(File dataDirectory) {
    try {
      Files.write(dataDirectory.toPath().resolve("pg_hba.conf"), ACCESS_RULES);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static EmbeddedPostgresServer createDatabases(EmbeddedPostgresServer server)
      throws IOException {
    try (Connection superuser = server.server.getPostgresDatabase().getConnection()) {
      Databases.create(superuser);
      return server;
    } catch (SQLException e) {
      server.close();
      throw new IOException("The databases could not be made", e);
    }
  }

  /**
   * Finds the server that runs on the data of a home, whoever started it.
   *
   * @param home as given to {@link #start}
   */
  public static Optional<ProcessHandle> findProcess(Path home) {
    try {
      String pid = Files.readAllLines(home.resolve("data").resolve("postmaster.pid")).getFirst();
      Path binaries = home.resolve("binaries").toRealPath();
      return ProcessHandle.of(Long.parseLong(pid.strip()))
          .filter(process -> runsFrom(binaries, process));
    } catch (IOException | NumberFormatException | NoSuchElementException e) {
      // No such file, or one that is being written: nothing has got as far as running.
      return Optional.empty();
    }
  }

  /** The file may be stale and its number a stranger's; our binaries are run by nobody else. */
  private static boolean runsFrom(Path binaries, ProcessHandle process) {
    return process.info().command().map(Path::of).filter(it -> it.startsWith(binaries)).isPresent();
  }

  /**
   * Stops the server that runs on the data of a home, closing the connections it has.
   *
   * @return whether there was one
   */
  public static boolean stopLeftover(Path home) {
    Optional<ProcessHandle> process = findProcess(home);
    process.ifPresent(EmbeddedPostgresServer::stop);
    return process.isPresent();
  }

  /** SIGINT makes PostgreSQL stop at once but cleanly; Java can only send others. */
  private static void stop(ProcessHandle process) {
    boolean ended = false;
    try {
      new ProcessBuilder("sh", "-c", "kill -INT " + process.pid()).start();
      ended = ProcessEnd.await(process, STOP_WAIT);
    } catch (IOException e) {
      LOG.warn("PostgreSQL cannot be asked to stop and is killed", e);
    }
    if (!ended) {
      process.destroyForcibly();
    }
  }

  /** The port on the loopback interface. */
  public int port() {
    return server.getPort();
  }

  /** The URL of one of {@link Credentials#DATABASES}, without user and password. */
  public String jdbcUrl(String database) {
    return "jdbc:postgresql://localhost:%d/%s".formatted(port(), database);
  }

  /** Stops the server, closing the connections it has; data that are not temporary stay. */
  @Override
  public void close() {
    try {
      server.close();
    } catch (IOException e) {
      throw new UncheckedIOException("PostgreSQL could not be stopped", e);
    }
  }
}
