package io.onceflow.launcher.servers;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.io.Writer;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import redis.embedded.core.ExecutableProvider;

/**
 * A Redis server in a separate process, on the loopback interface, from binaries that come with the
 * launcher. It writes nothing to disk: its records are copies of those in PostgreSQL, and outdated
 * copies would be wrong.
 */
public final class EmbeddedRedis implements AutoCloseable {

  /** Redis starts in a few milliseconds; a busy machine may take its time to start any process. */
  private static final Duration START_WAIT = Duration.ofSeconds(20);

  private static final String PROCESS_ID = "process_id:";

  /**
   * What the guard runs, on its own keys and nothing else; the same list as in {@code
   * deploy/redis/start.sh}.
   */
  static final String RIGHTS =
      "resetkeys ~onceflow:idempotency:* resetchannels -@all +auth +hello +info +ping +select"
          + " +client|setinfo +client|setname +eval +evalsha +del +hdel +hget +hmget +hset +hsetnx"
          + " +hstrlen +pexpire +pexpireat +time +zadd +zrange +zrem";

  private static final Duration STOP_WAIT = Duration.ofSeconds(5);

  private final Process process;
  private final int port;
  private final String password;

  private EmbeddedRedis(Process process, int port, String password) {
    this.process = process;
    this.port = port;
    this.password = password;
  }

  /**
   * Starts a server and returns when it answers.
   *
   * @param home where its binary and its log are put
   * @param port the port on the loopback interface
   * @throws IOException if it does not start, most likely because the port is taken
   */
  public static EmbeddedRedis start(Path home, int port) throws IOException {
    return start(home, port, "", List.of());
  }

  /**
   * Starts a server whose only user needs this password, and may run the commands of the guard on
   * the keys of the guard.
   */
  public static EmbeddedRedis start(Path home, int port, String password) throws IOException {
    return start(
        home, port, password, List.of("user default on >%s %s".formatted(password, RIGHTS)));
  }

  private static EmbeddedRedis start(Path home, int port, String password, List<String> users)
      throws IOException {
    Path folder = Files.createDirectories(home).toAbsolutePath();
    Path log = folder.resolve("redis.log");
    EmbeddedRedis redis =
        new EmbeddedRedis(
            launch(binary(folder), settings(folder, port, users), log), port, password);
    if (!redis.awaitAnswer()) {
      redis.close();
      throw new IOException(
          "Redis did not start on port %s:%n%s".formatted(port, Files.readString(log)));
    }
    return redis;
  }

  private static List<String> settings(Path folder, int port, List<String> users) {
    List<String> settings =
        new ArrayList<>(
            List.of(
                "bind 127.0.0.1",
                "port " + port,
                "dir \"" + folder + "\"",
                "save \"\"",
                "appendonly no",
                "maxmemory 64mb",
                "maxmemory-policy volatile-ttl"));
    settings.addAll(users);
    return settings;
  }

  /** The settings go through standard input: every process may read another's arguments. */
  private static Process launch(Path binary, List<String> settings, Path log) throws IOException {
    Process process =
        new ProcessBuilder(binary.toString(), "-")
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    try (Writer input = process.outputWriter()) {
      for (String setting : settings) {
        input.write(setting + "\n");
      }
    }
    return process;
  }

  private static Path binary(Path folder) throws IOException {
    Path binaries = Files.createDirectories(folder.resolve("bin"));
    return ExecutableProvider.newJarResourceProvider(binaries.toFile()).get().toPath();
  }

  /** The port on the loopback interface. */
  public int port() {
    return port;
  }

  /** Its process, which outlives a launcher that is killed. */
  public ProcessHandle process() {
    return process.toHandle();
  }

  /** Stops it; what it holds is gone. */
  @Override
  public void close() {
    ProcessEnd.stop(process, STOP_WAIT);
  }

  private boolean awaitAnswer() {
    long giveUpAt = System.nanoTime() + START_WAIT.toNanos();
    while (process.isAlive() && System.nanoTime() - giveUpAt < 0) {
      if (whoAnswers(port, password).equals(Long.toString(process.pid()))) {
        return true;
      }
      ProcessEnd.await(process.toHandle(), Duration.ofMillis(20));
    }
    return false;
  }

  /** The process id of the Redis that answers there; empty for none: an open port says nothing. */
  static String whoAnswers(int port) {
    return whoAnswers(port, "");
  }

  private static String whoAnswers(int port, String password) {
    String login = password.isEmpty() ? "" : "AUTH " + password + "\r\n";
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.setSoTimeout((int) START_WAIT.toMillis());
      socket.getOutputStream().write((login + "INFO server\r\nQUIT\r\n").getBytes(US_ASCII));
      String info = new String(socket.getInputStream().readAllBytes(), US_ASCII);
      return info.lines()
          .filter(line -> line.startsWith(PROCESS_ID))
          .map(line -> line.substring(PROCESS_ID.length()))
          .findFirst()
          .orElse("");
    } catch (IOException e) {
      return "";
    }
  }
}
