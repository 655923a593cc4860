package io.onceflow.quickstart.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Ports of the loopback interface that nobody listens on. */
public final class FreePorts {

  /** The system may name a port twice while nobody has bound it yet. */
  private static final Set<Integer> NAMED = ConcurrentHashMap.newKeySet();

  private FreePorts() {}

  /**
   * Returns a port that was free a moment ago, never the same one twice. Somebody else may take it
   * before its caller does; whoever binds it must be ready to say so.
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
