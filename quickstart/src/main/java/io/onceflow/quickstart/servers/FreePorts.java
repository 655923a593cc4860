package io.onceflow.quickstart.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Ports of the loopback interface on which no process listens. */
public final class FreePorts {

  /** The system may return a port twice while no process has bound it. */
  private static final Set<Integer> NAMED = ConcurrentHashMap.newKeySet();

  private FreePorts() {}

  /**
   * Returns a port that was free a moment ago, never the same one twice. Another process may bind
   * it first; the caller must report that.
   */
  public static int next() {
    int port;
    do {
      port = anyFree();
    } while (!NAMED.add(port));
    return port;
  }

  private static int anyFree() {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new UncheckedIOException("No free port on the loopback interface", e);
    }
  }
}
