package io.onceflow.quickstart.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;

/** Ports of the loopback interface that nobody listens on. */
public final class FreePorts {

  private FreePorts() {}

  /**
   * Returns a port that was free a moment ago. Somebody else may take it before its caller does;
   * whoever binds it must be ready to say so.
   */
  public static int next() {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new UncheckedIOException("No free port on the loopback interface", e);
    }
  }
}
