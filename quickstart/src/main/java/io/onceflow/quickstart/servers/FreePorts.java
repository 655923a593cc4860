package io.onceflow.quickstart.servers;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Ports of the loopback interface on which no process listens. They are below those that systems
 * give to outgoing connections, from 32768 on Linux: one of those could be taken before it is
 * bound.
 */
public final class FreePorts {

  private static final int LOWEST = 20_000;
  private static final int COUNT = 12_000;

  /** A prime: processes that start one after the other begin so many ports apart. */
  private static final int OF_A_PROCESS = 97;

  private static final AtomicInteger NEXT =
      new AtomicInteger((int) (ProcessHandle.current().pid() * OF_A_PROCESS % COUNT));

  private FreePorts() {}

  /**
   * Returns a port that was free a moment ago, and not the same one again before all others were
   * asked for. Another process may bind it first; the caller must report that.
   *
   * @throws IllegalStateException where none is free
   */
  public static int next() {
    for (int i = 0; i < COUNT; i++) {
      int port = LOWEST + Math.floorMod(NEXT.getAndIncrement(), COUNT);
      if (canBind(port)) {
        return port;
      }
    }
    throw new IllegalStateException(
        "No port from %d to %d is free on the loopback interface"
            .formatted(LOWEST, LOWEST + COUNT - 1));
  }

  /** Whether nothing listens on a port of the loopback interface. */
  public static boolean canBind(int port) {
    try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
      return socket.isBound();
    } catch (IOException e) {
      return false;
    }
  }
}
