package io.onceflow.quickstart.servers;

import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Apache Kafka in a separate process, on the loopback interface, from the libraries of the module
 * {@code quickstart/kafka}. Each start begins with nothing: what was lost is sent again by the
 * sagas (rule 12).
 */
public final class EmbeddedKafka implements AutoCloseable {

  /** It takes two seconds, and many times that on a busy machine. */
  private static final Duration START_WAIT = Duration.ofSeconds(60);

  private static final Duration STOP_WAIT = Duration.ofSeconds(10);

  /** Enough for a few thousand messages a second. */
  private static final List<String> SMALL =
      List.of("-Xmx192m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");

  private final Process process;

  private EmbeddedKafka(Process process) {
    this.process = process;
  }

  /**
   * Starts a broker and returns when it accepts connections.
   *
   * @param target where the module {@code quickstart/kafka} was built
   * @param data emptied first
   * @throws IOException if it does not start; its log says why
   */
  public static EmbeddedKafka start(Path target, Path data, int port, Path log) throws IOException {
    if (!Files.isDirectory(target.resolve("lib"))) {
      throw new IOException("Kafka's libraries are not in %s".formatted(target.resolve("lib")));
    }
    Folders.delete(data);
    Files.createDirectories(data);
    Files.createDirectories(log.toAbsolutePath().getParent());
    EmbeddedKafka kafka = new EmbeddedKafka(launch(target, data, port, log));
    if (!kafka.awaitPort(port)) {
      kafka.close();
      throw new IOException("Kafka did not start on port %d; see %s".formatted(port, log));
    }
    return kafka;
  }

  private static Process launch(Path target, Path data, int port, Path log) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(SMALL);
    command.add("-cp");
    command.add(target.resolve("classes") + File.pathSeparator + target.resolve("lib") + "/*");
    command.add("io.onceflow.quickstart.kafka.KafkaProcess");
    command.add(Integer.toString(port));
    command.add(data.toString());
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(log.toFile())
        .start();
  }

  private boolean awaitPort(int port) {
    long giveUpAt = System.nanoTime() + START_WAIT.toNanos();
    while (process.isAlive() && System.nanoTime() - giveUpAt < 0) {
      try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
        return socket.isConnected();
      } catch (IOException notYet) {
        ProcessEnd.await(process.toHandle(), Duration.ofMillis(50));
      }
    }
    return false;
  }

  /** Its process, which outlives a launcher that is killed. */
  public ProcessHandle process() {
    return process.toHandle();
  }

  /** Stops it; what it holds is gone with the next start. */
  @Override
  public void close() {
    process.destroy();
    if (!ProcessEnd.await(process.toHandle(), STOP_WAIT)) {
      process.destroyForcibly();
      ProcessEnd.await(process.toHandle(), STOP_WAIT);
    }
  }
}
