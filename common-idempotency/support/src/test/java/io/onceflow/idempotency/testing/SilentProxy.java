package io.onceflow.idempotency.testing;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Stands between a connection pool and PostgreSQL, and lets connections go silent for good: what is
 * sent on them is accepted and lost, and nothing comes back, no end of the connection either. As a
 * firewall does that has forgotten them.
 */
public final class SilentProxy implements AutoCloseable {

  /** More than a log-in sends: a connection that goes silent was in use before. */
  private static final int LOGIN = 10;

  private final ServerSocket front;
  private final int target;
  private final Set<Link> links = ConcurrentHashMap.newKeySet();
  private final AtomicInteger toSilence = new AtomicInteger();
  private volatile boolean isSilent;

  /**
   * Listens on a port of its own.
   *
   * @param target the server's port on the loopback interface
   */
  public SilentProxy(int target) throws IOException {
    this.target = target;
    this.front = new ServerSocket(0, 64, InetAddress.getLoopbackAddress());
    Thread.ofVirtual().start(this::accept);
  }

  /** Where the pool finds it. */
  public int port() {
    return front.getLocalPort();
  }

  /** The next connection that is used, and has been before, goes silent for good. */
  public void silenceNext() {
    toSilence.set(1);
  }

  /** Whether the connection that was to go silent has. */
  public boolean isNextSilenced() {
    return toSilence.get() == 0;
  }

  /** All connections go silent for good, and new ones are accepted and as silent. */
  public void silenceAll() {
    isSilent = true;
    links.forEach(link -> link.silent = true);
  }

  /** New connections are served again; those that are silent stay so. */
  public void serveNewOnes() {
    isSilent = false;
  }

  @Override
  public void close() throws IOException {
    front.close();
    links.forEach(Link::close);
  }

  private void accept() {
    while (!front.isClosed()) {
      try {
        Link link = new Link(front.accept(), new Socket(front.getInetAddress(), target));
        link.silent = isSilent;
        links.add(link);
        Thread.ofVirtual().start(() -> link.pass(link.client, link.server, true));
        Thread.ofVirtual().start(() -> link.pass(link.server, link.client, false));
      } catch (IOException e) {
        // The proxy is closed, or the connection was.
      }
    }
  }

  private final class Link {

    private final Socket client;
    private final Socket server;
    private volatile boolean silent;
    private int requests;

    private Link(Socket client, Socket server) throws IOException {
      this.client = client;
      this.server = server;
      client.setTcpNoDelay(true);
      server.setTcpNoDelay(true);
    }

    private void pass(Socket from, Socket to, boolean isRequest) {
      try {
        InputStream in = from.getInputStream();
        OutputStream out = to.getOutputStream();
        byte[] buffer = new byte[16 * 1024];
        int length;
        while ((length = in.read(buffer)) >= 0) {
          if (isRequest && ++requests > LOGIN && toSilence.compareAndSet(1, 0)) {
            silent = true;
          }
          if (!silent) {
            out.write(buffer, 0, length);
          }
        }
        if (!silent) {
          close();
        }
      } catch (IOException e) {
        if (!silent) {
          close();
        }
      }
    }

    private void close() {
      links.remove(this);
      try {
        client.close();
        server.close();
      } catch (IOException e) {
        // It is closed all the same.
      }
    }
  }
}
