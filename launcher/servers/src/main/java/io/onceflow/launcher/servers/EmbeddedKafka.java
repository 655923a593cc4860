package io.onceflow.launcher.servers;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Apache Kafka in a separate process, on the loopback interface, from the libraries of the module
 * {@code launcher/kafka}.
 */
public final class EmbeddedKafka implements AutoCloseable {

  private static final Duration STOP_WAIT = Duration.ofSeconds(10);

  /** Enough for a few thousand messages a second. */
  private static final String HEAP = "-Xmx256m";

  private final List<String> command;
  private final int port;
  private final Path log;
  private Process process;

  private EmbeddedKafka(List<String> command, int port, Path log) throws IOException {
    this.command = command;
    this.port = port;
    this.log = log;
    this.process = launch();
  }

  /**
   * Starts a broker that has nothing, and returns when it accepts connections. What an earlier one
   * held is gone; the sagas send it again (rule 12).
   *
   * @param target where the module {@code launcher/kafka} was built
   * @param data emptied first
   * @throws IOException if it does not start; its log says why
   */
  public static EmbeddedKafka start(Path target, Path data, int port, Path log) throws IOException {
    return start(target, data, port, Map.of(), log);
  }

  /**
   * The same for clients that come through proxies.
   *
   * @param proxies by each further port the one of the proxy before it, which its clients are told
   */
  public static EmbeddedKafka start(
      Path target, Path data, int port, Map<Integer, Integer> proxies, Path log)
      throws IOException {
    if (!Files.isDirectory(target.resolve("lib"))) {
      throw new IOException("Kafka's libraries are not in %s".formatted(target.resolve("lib")));
    }
    Folders.delete(data);
    Files.createDirectories(data);
    Files.createDirectories(log.toAbsolutePath().getParent());
    EmbeddedKafka kafka = new EmbeddedKafka(command(target, data, port, proxies), port, log);
    kafka.awaitUp();
    return kafka;
  }

  private static List<String> command(
      Path target, Path data, int port, Map<Integer, Integer> proxies) {
    List<String> main = new ArrayList<>();
    main.add("io.onceflow.launcher.kafka.KafkaProcess");
    main.add(Integer.toString(port));
    main.add(data.toString());
    proxies.forEach((behind, before) -> main.add(behind + ":" + before));
    return ModuleProcess.command(target, HEAP, main);
  }

  private Process launch() throws IOException {
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(Redirect.appendTo(log.toFile()))
        .start();
  }

  /** Starts it after its end, with all that it held; does nothing while it runs. */
  public void startAgain() throws IOException {
    if (!process.isAlive()) {
      process = launch();
      awaitUp();
    }
  }

  private void awaitUp() throws IOException {
    if (!ModuleProcess.awaitPort(process, port)) {
      close();
      throw new IOException("Kafka did not start on port %s; see %s".formatted(port, log));
    }
  }

  /** Its process, which outlives a launcher that is killed. */
  public ProcessHandle process() {
    return process.toHandle();
  }

  /** Kills it: it writes nothing any more. */
  public void kill() {
    process.destroyForcibly();
    ProcessEnd.await(process.toHandle(), STOP_WAIT);
  }

  /** Stops it in order. */
  @Override
  public void close() {
    ProcessEnd.stop(process, STOP_WAIT);
  }
}
