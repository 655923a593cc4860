package io.onceflow.kafka.internal;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Passes connections on to a port, and breaks them. */
final class CutWire implements AutoCloseable {

  private final int target;
  private final ServerSocket listening;
  private final List<Socket> sockets = new CopyOnWriteArrayList<>();

  CutWire(int target) throws IOException {
    this.target = target;
    this.listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    Thread.startVirtualThread(this::acceptAll);
  }

  int port() {
    return listening.getLocalPort();
  }

  /** Breaks all connections that stand; new ones are let through. */
  void cut() {
    for (Socket socket : sockets) {
      sockets.remove(socket);
      closeQuietly(socket);
    }
  }

  private void acceptAll() {
    try {
      while (true) {
        connect(listening.accept());
      }
    } catch (IOException e) {
      // Closed.
    }
  }

  private void connect(Socket client) {
    try {
      Socket server = new Socket("localhost", target);
      client.setTcpNoDelay(true);
      server.setTcpNoDelay(true);
      sockets.addAll(List.of(client, server));
      Thread.startVirtualThread(() -> passOn(client, server));
      Thread.startVirtualThread(() -> passOn(server, client));
    } catch (IOException e) {
      closeQuietly(client);
    }
  }

  private static void passOn(Socket from, Socket to) {
    try {
      from.getInputStream().transferTo(to.getOutputStream());
    } catch (IOException e) {
      // Cut.
    } finally {
      closeQuietly(from);
      closeQuietly(to);
    }
  }

  private static void closeQuietly(Socket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    try {
      listening.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    cut();
  }
}
