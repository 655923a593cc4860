package io.onceflow.launcher.servers;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Ports of the loopback interface on which no process listens. They are below those that systems
 * give to outgoing connections, from 32768 on Linux: one of those could be taken before it is
 * bound. They come from blocks. Who holds the first port of a block has the others, so that neither
 * another process nor another class loader of this one, which has its own statics, gets the same.
 */
public final class FreePorts {

  private static final int LOWEST = 20_000;
  private static final int BLOCKS = 120;
  private static final int OF_A_BLOCK = 100;

  /** The first port of each block taken, the last block last, open as long as this class is. */
  private static final Deque<ServerSocket> HELD = new ArrayDeque<>();

  private static int used = OF_A_BLOCK;

  private FreePorts() {}

  /**
   * Returns a port that was free a moment ago, and never the same one again. A process that does
   * not ask here may bind it first; the caller must report that.
   *
   * @throws IllegalStateException where none is free
   */
  public static synchronized int next() {
    while (true) {
      if (used == OF_A_BLOCK) {
        takeBlock();
      }
      int port = HELD.getLast().getLocalPort() + used++;
      if (canBind(port)) {
        return port;
      }
    }
  }

  /** Processes that start one after the other start to look at different blocks. */
  private static void takeBlock() {
    for (int i = 0; i < BLOCKS; i++) {
      int block = Math.floorMod(ProcessHandle.current().pid() + i, BLOCKS);
      try {
        HELD.add(listen(LOWEST + block * OF_A_BLOCK));
        used = 1;
        return;
      } catch (IOException e) {
        continue; // somebody has it
      }
    }
    throw new IllegalStateException(
        "No port from %s to %s is free on the loopback interface"
            .formatted(LOWEST, LOWEST + BLOCKS * OF_A_BLOCK - 1));
  }

  /** Whether nothing listens on a port of the loopback interface. */
  public static boolean canBind(int port) {
    try (ServerSocket socket = listen(port)) {
      return socket.isBound();
    } catch (IOException e) {
      return false;
    }
  }

  private static ServerSocket listen(int port) throws IOException {
    return new ServerSocket(port, 1, InetAddress.getLoopbackAddress());
  }
}
