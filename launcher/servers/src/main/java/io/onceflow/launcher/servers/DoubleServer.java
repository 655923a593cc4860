package io.onceflow.launcher.servers;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * A double of somebody else's API, such as the module {@code stripe-double}, in a separate process
 * on the loopback interface.
 */
public final class DoubleServer implements AutoCloseable {

  private static final Duration STOP_WAIT = Duration.ofSeconds(10);

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
    DoubleServer server =
        new DoubleServer(
            new ProcessBuilder(ModuleProcess.command(target, "-Xmx128m", main))
                .redirectErrorStream(true)
                .redirectOutput(Redirect.appendTo(log.toFile()))
                .start());
    if (!ModuleProcess.awaitPort(server.process, port)) {
      server.close();
      throw new IOException("%s did not start on port %s; see %s".formatted(name, port, log));
    }
    return server;
  }

  /** Its process, which outlives a launcher that is killed. */
  public ProcessHandle process() {
    return process.toHandle();
  }

  @Override
  public void close() {
    ProcessEnd.stop(process, STOP_WAIT);
  }
}
