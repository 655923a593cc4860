package io.onceflow.systemtests.chaos.stack;

import io.onceflow.systemtests.Ports;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Stands between one process and one server, passes on what each says to the other, and can hold it
 * up, let it come late, or cut the connection with all that is under way.
 */
public final class Proxy implements AutoCloseable {

  private static final int CHUNK = 16 * 1024;

  /** So many chunks may be under way; past that, who sends has to wait. */
  private static final int UNDER_WAY = 4_096;

  private static final Duration LOOK_AGAIN = Duration.ofMillis(5);

  private final ServerSocket front;
  private final int target;
  private final Set<Link> links = ConcurrentHashMap.newKeySet();
  private volatile Duration delay = Duration.ZERO;
  private volatile boolean stalled;

  /**
   * Listens on a new port.
   *
   * @param target the server's port on the loopback interface
   */
  public Proxy(int target) throws IOException {
    this.target = target;
    this.front = new ServerSocket(Ports.next(), 64, InetAddress.getLoopbackAddress());
    Thread.ofVirtual().start(this::accept);
  }

  /** Where the process finds it. */
  public int port() {
    return front.getLocalPort();
  }

  /** Lets everything come later by so much from now on; zero for at once. */
  public void delay(Duration delay) {
    this.delay = delay;
  }

  /** Lets nothing through, or lets it through again. */
  public void stall(boolean stalled) {
    this.stalled = stalled;
  }

  /**
   * Lets nothing more through on some of the connections, in either direction, for as long as they
   * last; neither side is told. Later connections are as good as any.
   *
   * @param most how many connections at most
   * @return how many
   */
  public int silence(int most) {
    List<Link> some = links.stream().limit(most).toList();
    some.forEach(Link::silence);
    return some.size();
  }

  /** Resets the connections that were silenced. */
  public void endSilence() {
    links.stream().filter(link -> link.silent).forEach(Link::close);
  }

  /** Resets all connections; what is under way on them is lost. New ones are taken. */
  public void cut() {
    links.forEach(Link::close);
  }

  @Override
  public void close() throws IOException {
    front.close();
    cut();
  }

  private void accept() {
    while (!front.isClosed()) {
      try {
        Socket client = front.accept();
        Thread.ofVirtual().start(() -> link(client));
      } catch (IOException e) {
        // Closed, or one who has gone again before they were let in.
      }
    }
  }

  private void link(Socket client) {
    try {
      Socket server = new Socket(InetAddress.getLoopbackAddress(), target);
      Link link = new Link(client, server);
      links.add(link);
      link.start();
    } catch (IOException e) {
      reset(client);
    }
  }

  private static void reset(Socket socket) {
    try {
      socket.setSoLinger(true, 0);
      socket.close();
    } catch (IOException e) {
      // It is closed all the same.
    }
  }

  /** Bytes, and when they came. */
  private record Chunk(long at, byte[] bytes) {}

  private final class Link {
    private final Socket client;
    private final Socket server;
    private volatile boolean open = true;
    private volatile boolean silent;

    Link(Socket client, Socket server) {
      this.client = client;
      this.server = server;
    }

    void start() throws IOException {
      client.setTcpNoDelay(true);
      server.setTcpNoDelay(true);
      pump(client, server);
      pump(server, client);
    }

    private void pump(Socket from, Socket to) {
      BlockingQueue<Chunk> underWay = new ArrayBlockingQueue<>(UNDER_WAY);
      Thread.ofVirtual().start(() -> run(() -> read(from, underWay)));
      Thread.ofVirtual().start(() -> run(() -> write(underWay, to)));
    }

    private void read(Socket from, BlockingQueue<Chunk> underWay)
        throws IOException, InterruptedException {
      byte[] buffer = new byte[CHUNK];
      int length;
      while ((length = from.getInputStream().read(buffer)) >= 0) {
        underWay.put(new Chunk(System.nanoTime(), Arrays.copyOf(buffer, length)));
      }
      underWay.put(new Chunk(System.nanoTime(), new byte[0]));
    }

    private void write(BlockingQueue<Chunk> underWay, Socket to)
        throws IOException, InterruptedException {
      Chunk chunk = underWay.take();
      while (open && chunk.bytes().length > 0) {
        while (open && (silent || stalled || System.nanoTime() - chunk.at() < delay.toNanos())) {
          Pause.of(LOOK_AGAIN);
        }
        if (open) {
          to.getOutputStream().write(chunk.bytes());
        }
        chunk = underWay.take();
      }
      close();
    }

    private interface Pumping {
      void run() throws IOException, InterruptedException;
    }

    private void run(Pumping pumping) {
      try {
        pumping.run();
      } catch (IOException e) {
        // The other side of a silent connection is not told that this one is gone.
        if (!silent) {
          close();
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        close();
      }
    }

    void silence() {
      silent = true;
    }

    void close() {
      open = false;
      links.remove(this);
      reset(client);
      reset(server);
    }
  }
}
