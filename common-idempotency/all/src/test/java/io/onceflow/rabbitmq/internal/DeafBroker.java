package io.onceflow.rabbitmq.internal;

import io.onceflow.launcher.testing.TestServers;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A wire to the broker that can stop reading what clients write, as a broker does during an alarm;
 * what the broker says still arrives.
 */
final class DeafBroker implements AutoCloseable {

  private final TestServers servers;
  private final ServerSocket listening;
  private final List<Socket> sockets = new CopyOnWriteArrayList<>();
  private final AtomicInteger connections = new AtomicInteger();
  private volatile boolean deaf;

  DeafBroker(TestServers servers) {
    this.servers = servers;
    try {
      listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Thread.startVirtualThread(this::acceptAll);
  }

  BrokerConnection connection() {
    return TestBrokers.by(listening.getLocalPort(), servers);
  }

  int connections() {
    return connections.get();
  }

  /** From now on reads nothing that clients write, on connections that stand and on new ones. */
  void stopReading() {
    deaf = true;
  }

  void readAgain() {
    synchronized (this) {
      deaf = false;
      notifyAll();
    }
  }

  private void acceptAll() {
    try {
      while (true) {
        Socket client = listening.accept();
        connections.incrementAndGet();
        Socket broker = new Socket(servers.brokerHost(), servers.brokerPort());
        sockets.addAll(List.of(client, broker));
        Thread.startVirtualThread(() -> pass(client, broker, true));
        Thread.startVirtualThread(() -> pass(broker, client, false));
      }
    } catch (IOException e) {
      // Closed.
    }
  }

  private void pass(Socket from, Socket to, boolean isFromClient) {
    byte[] buffer = new byte[8192];
    try (from;
        to) {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
        if (isFromClient) {
          awaitHearing();
        }
        out.write(buffer, 0, read);
      }
    } catch (IOException | InterruptedException e) {
      // Cut.
    }
  }

  private synchronized void awaitHearing() throws InterruptedException {
    while (deaf) {
      wait();
    }
  }

  @Override
  public void close() throws IOException {
    listening.close();
    readAgain();
    for (Socket socket : sockets) {
      socket.close();
    }
  }
}
