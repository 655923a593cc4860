package io.onceflow.quickstart.servers;

import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** The module {@code stripe-double} in a separate process, on the loopback interface. */
public final class StripeDoubleServer implements AutoCloseable {

  /** It takes a second, and many times that on a busy machine. */
  private static final Duration START_WAIT = Duration.ofSeconds(60);

  private static final Duration STOP_WAIT = Duration.ofSeconds(10);

  private static final Duration LOOK_AGAIN = Duration.ofMillis(50);

  private final Process process;

  private StripeDoubleServer(Process process) {
    this.process = process;
  }

  /**
   * Starts it, and returns when it accepts connections.
   *
   * @param target where the module was built
   * @param webhook the address that its events are sent to
   * @param secret that signs them
   * @throws IOException if it does not start; its log says why
   */
  public static StripeDoubleServer start(
      Path target, int port, String webhook, String secret, Path log) throws IOException {
    if (!Files.isDirectory(target.resolve("lib"))) {
      throw new IOException(
          "The libraries of Stripe's double are not in %s".formatted(target.resolve("lib")));
    }
    Files.createDirectories(log.toAbsolutePath().getParent());
    Process process =
        new ProcessBuilder(
                List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-Xmx128m",
                    "-XX:+UseSerialGC",
                    "-cp",
                    target.resolve("classes") + File.pathSeparator + target.resolve("lib") + "/*",
                    "io.onceflow.stripedouble.StripeDoubleProcess",
                    Integer.toString(port),
                    webhook,
                    secret))
            .redirectErrorStream(true)
            .redirectOutput(Redirect.appendTo(log.toFile()))
            .start();
    StripeDoubleServer server = new StripeDoubleServer(process);
    if (!server.awaitPort(port)) {
      server.close();
      throw new IOException(
          "Stripe's double did not start on port %d; see %s".formatted(port, log));
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
