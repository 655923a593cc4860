package io.onceflow.quickstart.servers;

import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * A double of somebody else's API, such as the module {@code stripe-double}, in a separate process
 * on the loopback interface.
 */
public final class DoubleServer implements AutoCloseable {

  /** It takes a second, and many times that on a busy machine. */
  private static final Duration START_WAIT = Duration.ofSeconds(60);

  private static final Duration STOP_WAIT = Duration.ofSeconds(10);

  private static final Duration LOOK_AGAIN = Duration.ofMillis(50);

  private final Process process;

  private DoubleServer(Process process) {
    this.process = process;
  }

  /**
   * Starts it, and returns when it accepts connections.
   *
   * @param name in words, for what goes wrong
   * @param target where its module was built
   * @param port where it will listen
   * @param main the class that runs it, and its arguments
   * @throws IOException if it does not start; its log says why
   */
  public static DoubleServer start(String name, Path target, int port, List<String> main, Path log)
      throws IOException {
    if (!Files.isDirectory(target.resolve("lib"))) {
      throw new IOException(
          "The libraries of %s are not in %s".formatted(name, target.resolve("lib")));
    }
    Files.createDirectories(log.toAbsolutePath().getParent());
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "-XX:+UseSerialGC",
                "-cp",
                target.resolve("classes") + File.pathSeparator + target.resolve("lib") + "/*"));
    command.addAll(main);
    DoubleServer server =
        new DoubleServer(
            new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(Redirect.appendTo(log.toFile()))
                .start());
    if (!server.awaitPort(port)) {
      server.close();
      throw new IOException("%s did not start on port %d; see %s".formatted(name, port, log));
    }
    return server;
  }

  private boolean awaitPort(int port) {
    long giveUpAt = System.nanoTime() + START_WAIT.toNanos();
    while (process.isAlive() && System.nanoTime() - giveUpAt < 0) {
      try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
        return socket.isConnected();
      } catch (IOException notYet) {
        ProcessEnd.await(process.toHandle(), LOOK_AGAIN);
      }
    }
    return false;
  }

  /** Its process, which outlives a launcher that is killed. */
  public ProcessHandle process() {
    return process.toHandle();
  }

  @Override
  public void close() {
    process.destroy();
    if (!ProcessEnd.await(process.toHandle(), STOP_WAIT)) {
      process.destroyForcibly();
      ProcessEnd.await(process.toHandle(), STOP_WAIT);
    }
  }
}
