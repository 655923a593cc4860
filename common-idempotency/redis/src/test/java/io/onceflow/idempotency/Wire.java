package io.onceflow.idempotency;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A connection to a server that can be cut silently: what is sent is taken, and nothing ever comes
 * back, as when a machine vanishes or a firewall forgets a connection.
 */
public final class Wire implements AutoCloseable {

  private final URI server;
  private final ServerSocket entrance;

  /** Connections that were made before a cut are dead after it, however often it was mended. */
  private final AtomicInteger cuts = new AtomicInteger();

  private volatile boolean isCut;

  public Wire(URI server) throws IOException {
    this.server = server;
    this.entrance = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    Thread.ofPlatform().daemon().start(this::accept);
  }

  public int port() {
    return entrance.getLocalPort();
  }

  public void cut() {
    isCut = true;
    cuts.incrementAndGet();
  }

  /** Lets new connections through. */
  public void mend() {
    isCut = false;
  }

  @Override
  public void close() {
    try {
      entrance.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void accept() {
    try {
      while (true) {
        Socket client = entrance.accept();
        Socket there = new Socket(server.getHost(), server.getPort());
        client.setTcpNoDelay(true);
        there.setTcpNoDelay(true);
        int age = cuts.get();
        Thread.ofPlatform().daemon().start(() -> forward(client, there, age));
        Thread.ofPlatform().daemon().start(() -> forward(there, client, age));
      }
    } catch (IOException e) {
      // It was closed.
    }
  }

  private void forward(Socket from, Socket to, int age) {
    byte[] buffer = new byte[8192];
    try (from;
        to) {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      for (int read = in.read(buffer); read > 0; read = in.read(buffer)) {
        if (!isCut && cuts.get() == age) {
          out.write(buffer, 0, read);
        }
      }
    } catch (IOException e) {
      // One end has hung up; closing tells the other.
    }
  }
}
