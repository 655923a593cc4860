package io.onceflow.launcher.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * A PostgreSQL server from unpacked binaries, as durable as an installed one. It holds the
 * databases {@code orders}, {@code payments} and {@code shipping}, each with a user of the same
 * name whose password is {@link Credentials#PASSWORD}.
 *
 * <p>The server is a separate process: when the JVM is killed it continues running, and {@link
 * PostgresProcess} finds it.
 */
public final class EmbeddedPostgresServer implements AutoCloseable {

  /** Recovered from a crash on a slow machine that is busy with other things. */
  private static final Duration STARTUP_WAIT = Duration.ofSeconds(60);

  private static final String SUPERUSER = "postgres";

  /** The same encoding, sort order and upper case on every machine, independent of LANG. */
  private static final List<String> INITDB_OPTIONS =
      List.of(
          "--username=" + SUPERUSER,
          "--auth=scram-sha-256",
          "--encoding=UTF-8",
          "--locale=C",
          "--locale-provider=builtin",
          "--builtin-locale=C.UTF-8",
          "--no-instructions");

  /** Every user needs a password, as in production. */
  private static final List<String> ACCESS_RULES =
      List.of("host all all 127.0.0.1/32 scram-sha-256", "host all all ::1/128 scram-sha-256");

  private static final List<String> SETTINGS =
      List.of(
          "listen_addresses=localhost",
          // Loopback only: no socket file in /tmp that another PostgreSQL might own.
          "unix_socket_directories=",
          // The defaults, said aloud: nothing here may lose a commit.
          "fsync=on",
          "synchronous_commit=on",
          // Three services with their pools, their tests, and a person with psql.
          "max_connections=200",
          "timezone=UTC");

  private final Path home;
  private final int port;
  private final boolean temporary;
  private final WalLevel walLevel;

  private EmbeddedPostgresServer(Path home, int port, boolean temporary, WalLevel walLevel) {
    this.home = home;
    this.port = port;
    this.temporary = temporary;
    this.walLevel = walLevel;
  }

  /**
   * Starts a server and waits until it answers.
   *
   * @param home gets the folders {@code data} (kept; made on first use) and {@code binaries}, and
   *     the file {@code superuser-password} (mode 600)
   * @param port the port on the loopback interface
   * @param log the file to which the server's output is appended
   * @throws IOException if it does not start; the message says where its log is
   */
  public static EmbeddedPostgresServer start(Path home, int port, Path log) throws IOException {
    return start(
        new EmbeddedPostgresServer(home, port, false, WalLevel.REPLICA),
        home.resolve("binaries"),
        log);
  }

  /** Starts a server on a free port with data that go away when it is closed. */
  public static EmbeddedPostgresServer startTemporary() throws IOException {
    return startTemporary(WalLevel.REPLICA);
  }

  /** As {@link #startTemporary()}, with as much in its write-ahead log as is said here. */
  public static EmbeddedPostgresServer startTemporary(WalLevel level) throws IOException {
    // Not in the system's temporary folder, where others could put programs of theirs.
    Path binaries = Path.of(System.getProperty("user.home"), ".cache", "onceflow", "postgres");
    // The log is kept after the data are deleted: it says why a server did not start.
    Path log = Files.createTempFile("onceflow-postgres", ".log");
    Path home = Files.createTempDirectory("onceflow-postgres");
    stopAfterThisProcess(home);
    return start(new EmbeddedPostgresServer(home, FreePorts.next(), true, level), binaries, log);
  }

  private static EmbeddedPostgresServer start(
      EmbeddedPostgresServer server, Path binaries, Path log) throws IOException {
    PostgresUser user = PostgresUser.find();
    try {
      Path programs = PostgresBinaries.unpack(binaries).toRealPath().resolve("bin");
      server.initialize(programs, user, log);
      server.run(programs, user, log);
      server.asSuperuser(Databases::create);
      return server;
    } catch (IOException | SQLException e) {
      server.close();
      throw new IOException(
          "PostgreSQL did not start on port %s (%s); its log: %s"
              .formatted(server.port, e.getMessage(), log),
          e);
    }
  }

  /** Makes the data in a place aside, so that they are there whole or not at all. */
  private void initialize(Path programs, PostgresUser user, Path log) throws IOException {
    Path data = data();
    String password = superuserPassword();
    if (!Files.exists(data)) {
      Path unfinished = home.resolve("data.unfinished");
      Folders.delete(unfinished);
      Files.createDirectories(unfinished);
      user.own(unfinished);
      List<String> initdb = new ArrayList<>(List.of(programs.resolve("initdb").toString()));
      initdb.addAll(INITDB_OPTIONS);
      initdb.add("--pgdata=" + unfinished);
      // By standard input: every process may read another's arguments.
      initdb.add("--pwfile=/dev/stdin");
      execute(user.command(initdb), log, password);
      Files.write(unfinished.resolve("pg_hba.conf"), ACCESS_RULES);
      Files.move(unfinished, data);
    }
    user.own(data);
  }

  private void run(Path programs, PostgresUser user, Path log) throws IOException {
    StringBuilder options = new StringBuilder("-p " + port);
    SETTINGS.forEach(setting -> options.append(" -c ").append(setting));
    options.append(" -c wal_level=").append(walLevel.setting());
    List<String> pgCtl =
        List.of(
            programs.resolve("pg_ctl").toString(),
            "start",
            "--wait",
            "--timeout=" + STARTUP_WAIT.toSeconds(),
            "--pgdata=" + data(),
            "--options=" + options);
    execute(user.command(pgCtl), log, "");
  }

  private static void execute(ProcessBuilder command, Path log, String input) throws IOException {
    Process process =
        command.redirectErrorStream(true).redirectOutput(Redirect.appendTo(log.toFile())).start();
    try (Writer standardInput = process.outputWriter()) {
      standardInput.write(input + "\n");
    }
    try {
      if (process.waitFor() != 0) {
        throw new IOException(command.command().getFirst() + " failed");
      }
    } catch (InterruptedException e) {
      process.destroy();
      Thread.currentThread().interrupt();
      throw new IOException("Interrupted", e);
    }
  }

  /**
   * Makes a database beside {@link Credentials#DATABASES}, with a user of the same name, unless it
   * is there already.
   */
  public void createDatabase(String name) throws IOException, SQLException {
    asSuperuser(superuser -> Databases.create(superuser, name));
  }

  private interface SuperusersWork {
    void on(Connection superuser) throws SQLException;
  }

  private void asSuperuser(SuperusersWork work) throws IOException, SQLException {
    try (Connection superuser =
        DriverManager.getConnection(jdbcUrl("postgres"), SUPERUSER, superuserPassword())) {
      work.on(superuser);
    }
  }

  /** A test's JVM may be killed; its server and its data shall not outlive it for long. */
  private static void stopAfterThisProcess(Path home) throws IOException {
    String script =
        """
        while kill -0 "$1"; do sleep 1; done
        if [ -f "$2/data/postmaster.pid" ]; then
          kill -INT "$(head -n 1 "$2/data/postmaster.pid")"
          sleep 5
        fi
        rm -rf "$2"
        """;
    String pid = Long.toString(ProcessHandle.current().pid());
    new ProcessBuilder("sh", "-c", script, "sh", pid, home.toString())
        .redirectOutput(Redirect.DISCARD)
        .redirectError(Redirect.DISCARD)
        .start();
  }

  /** The port on the loopback interface. */
  public int port() {
    return port;
  }

  /** The URL of one of {@link Credentials#DATABASES}, without user and password. */
  public String jdbcUrl(String database) {
    return "jdbc:postgresql://localhost:%s/%s".formatted(port, database);
  }

  /** The password of the user {@code postgres}. */
  public String superuserPassword() throws IOException {
    return superuserPassword(home);
  }

  /**
   * The password of the user {@code postgres} of a server that another process has started.
   *
   * @param home as given to {@link #start}
   */
  public static String superuserPassword(Path home) throws IOException {
    return SecretFile.readOrMake(home.resolve("superuser-password"));
  }

  /** Stops the server, closing the connections it has; data that are not temporary stay. */
  @Override
  public void close() {
    PostgresProcess.stop(home);
    if (temporary) {
      try {
        Folders.delete(home);
      } catch (IOException e) {
        throw new UncheckedIOException("Temporary data cannot be deleted", e);
      }
    }
  }

  private Path data() {
    return home.resolve("data");
  }
}
