package io.onceflow.rabbitmq.internal;

import com.rabbitmq.client.AlreadyClosedException;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import java.io.IOException;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * A connection to the broker together with its socket. A broker that has raised an alarm (memory,
 * disk) stops reading from connections that publish: a write then blocks once the socket's buffers
 * are full, and no method of the client has a deadline for it. Closing the socket ends the write.
 */
final class BrokerLink {

  private static final Logger LOG = Logger.getLogger(BrokerLink.class);

  private final Connection connection;
  private final @Nullable Socket socket;
  private volatile @Nullable String blocked;
  private volatile boolean broken;

  /**
   * @param socket null when the client did not show it; then nothing can be broken off
   */
  BrokerLink(Connection connection, @Nullable Socket socket) {
    this.connection = connection;
    this.socket = socket;
    connection.addBlockedListener(this::block, this::unblock);
  }

  /** What is written to the broker, and perhaps answered. */
  interface Writes<T extends @Nullable Object> {
    T run() throws IOException;
  }

  boolean isOpen() {
    return !broken && connection.isOpen();
  }

  Connection connection() {
    return connection;
  }

  /** Why the broker takes no messages on this connection, or null while it takes them. */
  @Nullable String blocked() {
    return isOpen() ? blocked : null;
  }

  /** Opens a channel; the caller sets the deadline. */
  Channel openChannel() throws IOException {
    Channel channel = connection.createChannel();
    if (channel == null) {
      throw new IOException("the broker's connection has no channel left");
    }
    return channel;
  }

  /** Runs writes; if they take longer, they fail and the connection is closed. */
  <T extends @Nullable Object> T within(Duration atMost, Writes<T> writes) throws IOException {
    CompletableFuture<BrokerLink> written = new CompletableFuture<>();
    written
        .orTimeout(Math.max(0, atMost.toNanos()), TimeUnit.NANOSECONDS)
        .exceptionallyAsync(
            late -> {
              breakOff("the broker did not read what was written within " + atMost);
              return this;
            },
            task -> Thread.ofPlatform().name("broker-deadline").daemon().start(task));
    try {
      return writes.run();
    } catch (AlreadyClosedException e) {
      throw new IOException("the broker's connection closed just now", e);
    } finally {
      written.complete(this);
    }
  }

  /** Closes the connection, and the socket if the broker does not answer within so long. */
  void close(Duration atMost) {
    try {
      within(
          atMost,
          () -> {
            connection.abort((int) atMost.toMillis());
            return null;
          });
    } catch (IOException e) {
      LOG.debugf("the connection did not close cleanly: %s", e.getMessage());
    }
  }

  /** Closes the socket at once, also under a thread that reads or writes. */
  void breakOff(String why) {
    broken = true;
    LOG.debugf("the connection to the broker is broken off: %s", why);
    if (socket == null) {
      return;
    }
    try {
      // Without waiting for what is unsent, nor (TLS) for the thread that hangs in a write.
      socket.setSoLinger(true, 0);
    } catch (IOException e) {
      LOG.debugf("no linger: %s", e.getMessage());
    }
    try {
      socket.close();
    } catch (IOException e) {
      LOG.debugf("the socket did not close cleanly: %s", e.getMessage());
    }
  }

  private void block(String reason) {
    blocked = reason;
    LOG.warnf("the broker takes no messages: %s; outbox rows wait until its alarm ends", reason);
  }

  private void unblock() {
    blocked = null;
    LOG.infof("the broker takes messages again");
  }
}
