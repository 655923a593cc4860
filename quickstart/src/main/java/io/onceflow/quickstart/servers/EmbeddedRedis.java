package io.onceflow.quickstart.servers;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import redis.embedded.core.ExecutableProvider;

/**
 * A Redis server of its own process, on the loopback interface, from binaries that come with the
 * launcher. It writes nothing to disk: what stands in it is a copy of what PostgreSQL holds, and an
 * old copy would be worth less than none.
 */
public final class EmbeddedRedis implements AutoCloseable {

  /** Redis starts in a few milliseconds; a busy machine may take its time to start any process. */
  private static final Duration START_WAIT = Duration.ofSeconds(20);

  private static final String PROCESS_ID = "process_id:";

  private static final Duration STOP_WAIT = Duration.ofSeconds(5);

  private final Process process;
  private final int port;

  private EmbeddedRedis(Process process, int port) {
    this.process = process;
    this.port = port;
  }

  /**
   * Starts a server and returns when it answers.
   *
   * @param home where its binary and its log are put
   * @param port the port on the loopback interface
   * @throws IOException if it does not start, most likely because the port is taken
   */
  public static EmbeddedRedis start(Path home, int port) throws IOException {
    Path folder = Files.createDirectories(home).toAbsolutePath();
    Path log = folder.resolve("redis.log");
    EmbeddedRedis redis = new EmbeddedRedis(launch(binary(folder), folder, log, port), port);
    if (!redis.awaitAnswer()) {
      redis.close();
      throw new IOException(
          "Redis did not start on port %d:%n%s".formatted(port, Files.readString(log)));
    }
    return redis;
  }

  private static Process launch(Path binary, Path folder, Path log, int port) throws IOException {
    return new ProcessBuilder(
            binary.toString(),
            "--bind",
            "127.0.0.1",
            "--port",
            Integer.toString(port),
            "--dir",
            folder.toString(),
            "--save",
            "",
            "--appendonly",
            "no",
            "--maxmemory",
            "64mb",
            "--maxmemory-policy",
            "volatile-ttl")
        .redirectErrorStream(true)
        .redirectOutput(log.toFile())
        .start();
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
    process.destroy();
    if (!ProcessEnd.await(process.toHandle(), STOP_WAIT)) {
      process.destroyForcibly();
      ProcessEnd.await(process.toHandle(), STOP_WAIT);
    }
  }

  private boolean awaitAnswer() {
    long giveUpAt = System.nanoTime() + START_WAIT.toNanos();
    while (process.isAlive() && System.nanoTime() - giveUpAt < 0) {
      if (whoAnswers(port).equals(Long.toString(process.pid()))) {
        return true;
      }
      ProcessEnd.await(process.toHandle(), Duration.ofMillis(20));
    }
    return false;
  }

  /** The process id of the Redis that answers there; empty for none: an open port says nothing. */
  static String whoAnswers(int port) {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.setSoTimeout((int) START_WAIT.toMillis());
      socket.getOutputStream().write("INFO server\r\nQUIT\r\n".getBytes(US_ASCII));
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
