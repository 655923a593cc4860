package io.onceflow.launcher.servers;

import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * A module of this project in a JVM of its own, which listens on a port of the loopback interface.
 */
final class ModuleProcess {

  /** It takes a second or two, and many times that on a busy machine. */
  private static final Duration START_WAIT = Duration.ofSeconds(60);

  private static final Duration LOOK_AGAIN = Duration.ofMillis(50);

  private ModuleProcess() {}

  /**
   * What runs it, from its classes and the libraries beside them.
   *
   * @param target where the module was built
   * @param heap the option that bounds it
   * @param main the class that runs it, and its arguments
   */
  static List<String> command(Path target, String heap, List<String> main) {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                heap,
                "-XX:+UseSerialGC",
                "-cp",
                target.resolve("classes") + File.pathSeparator + target.resolve("lib") + "/*"));
    command.addAll(main);
    return List.copyOf(command);
  }

  /** Whether it accepts connections within a minute; false as soon as it has ended. */
  static boolean awaitPort(Process process, int port) {
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
}
