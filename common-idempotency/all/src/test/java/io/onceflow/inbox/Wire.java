package io.onceflow.inbox;

import io.onceflow.launcher.testing.TestServers;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** A wire to the broker that can be cut, and that counts the acknowledgements that pass. */
public final class Wire implements AutoCloseable {

  private static final int PROTOCOL_HEADER = 8;
  private static final int FRAME_HEADER = 7;
  private static final int METHOD = 1;
  private static final int BODY = 3;
  private static final int BASIC_DELIVER = 60 << 16 | 60;
  private static final int BASIC_ACK = 60 << 16 | 80;

  private final TestServers servers;
  private final ServerSocket listening;
  private final List<Socket> sockets = new CopyOnWriteArrayList<>();
  private final AtomicInteger connections = new AtomicInteger();
  private final AtomicInteger acknowledgements = new AtomicInteger();
  private final AtomicInteger toSwallow = new AtomicInteger();

  public Wire(TestServers servers) {
    this.servers = servers;
    try {
      listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Thread.startVirtualThread(this::acceptAll);
  }

  public int port() {
    return listening.getLocalPort();
  }

  /** Frames with an acknowledgement that went to the broker, however many each of them covers. */
  public int acknowledgements() {
    return acknowledgements.get();
  }

  /** Loses the next deliveries, as a proxy may. */
  public void swallow(int deliveries) {
    toSwallow.set(deliveries);
  }

  /** How many deliveries it is still to lose. */
  public int left() {
    return toSwallow.get();
  }

  /** How often somebody connected. */
  public int connections() {
    return connections.get();
  }

  /** Breaks all connections that stand; new ones are let through. */
  public void cut() {
    for (Socket socket : sockets) {
      sockets.remove(socket);
      closeQuietly(socket);
    }
  }

  private void acceptAll() {
    try {
      while (true) {
        Socket client = listening.accept();
        connections.incrementAndGet();
        connect(client);
      }
    } catch (IOException e) {
      // Closed.
    }
  }

  private void connect(Socket client) {
    try {
      Socket broker = new Socket(servers.brokerHost(), servers.brokerPort());
      // A frame is written in two pieces: the second would wait for the first one's
      // acknowledgement.
      client.setTcpNoDelay(true);
      broker.setTcpNoDelay(true);
      sockets.addAll(List.of(client, broker));
      Thread.startVirtualThread(() -> passOn(client, broker, this::deliveries));
      Thread.startVirtualThread(() -> passOn(broker, client, this::frames));
    } catch (IOException e) {
      closeQuietly(client);
    }
  }

  /** Passes on what one side says until that ends. */
  private interface Passing {
    void pass(DataInputStream in, DataOutputStream out) throws IOException;
  }

  private static void passOn(Socket to, Socket from, Passing passing) {
    try {
      passing.pass(
          new DataInputStream(from.getInputStream()), new DataOutputStream(to.getOutputStream()));
    } catch (IOException e) {
      // Cut.
    } finally {
      closeQuietly(to);
      closeQuietly(from);
    }
  }

  /** From the broker, one channel to a connection: a delivery is a method and its contents. */
  private void deliveries(DataInputStream in, DataOutputStream out) throws IOException {
    boolean isLost = false;
    while (true) {
      byte[] header = new byte[FRAME_HEADER];
      in.readFully(header);
      byte[] rest = new byte[number(header, 3) + 1];
      in.readFully(rest);
      if (header[0] == METHOD) {
        isLost =
            number(rest, 0) == BASIC_DELIVER
                && toSwallow.getAndUpdate(left -> Math.max(0, left - 1)) > 0;
      }
      if (!isLost || header[0] > BODY) {
        out.write(header);
        out.write(rest);
      }
    }
  }

  private void frames(DataInputStream in, DataOutputStream out) throws IOException {
    out.write(in.readNBytes(PROTOCOL_HEADER));
    while (true) {
      byte[] header = new byte[FRAME_HEADER];
      in.readFully(header);
      byte[] rest = new byte[number(header, 3) + 1];
      in.readFully(rest);
      if (header[0] == METHOD && number(rest, 0) == BASIC_ACK) {
        acknowledgements.incrementAndGet();
      }
      out.write(header);
      out.write(rest);
    }
  }

  private static int number(byte[] bytes, int at) {
    return ByteBuffer.wrap(bytes).getInt(at);
  }

  private static void closeQuietly(Socket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() throws IOException {
    listening.close();
    cut();
  }
}
