package io.onceflow.easypostdouble;

import io.onceflow.easypostdouble.EasyPostDouble.TrackerEvents;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;

/** The double as a process of its own. */
public final class EasyPostDoubleProcess {

  private EasyPostDoubleProcess() {}

  /**
   * Runs until the process is told to end.
   *
   * @param arguments the port; a folder, in which it leaves {@code trust.p12} for its clients
   *     before it listens; the address that events are sent to, and the secret that signs them
   */
  public static void main(String[] arguments) throws InterruptedException {
    int port = Integer.parseInt(arguments[0]);
    // Twice each, since EasyPost may, and nothing should rely on once.
    TrackerEvents events =
        arguments.length < 4
            ? TrackerEvents.NONE
            : new TrackerEvents(arguments[2], arguments[3], 2, false);
    EasyPostDouble easyPost = EasyPostDouble.start(port, Path.of(arguments[1]), events);
    Runtime.getRuntime().addShutdownHook(new Thread(easyPost::close, "stop-easypost-double"));
    new CountDownLatch(1).await();
  }
}
