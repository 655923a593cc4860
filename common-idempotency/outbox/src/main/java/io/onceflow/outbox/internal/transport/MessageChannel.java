package io.onceflow.outbox.internal.transport;

import io.onceflow.outbox.internal.transport.Publisher.Published;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A channel of a {@link MessageTransport} that confirms what it has taken. It is thrown away
 * whenever anything about it is in doubt.
 */
public interface MessageChannel extends AutoCloseable {

  /**
   * Writes all; stops when the transport says that it takes no messages, and at a message that
   * closes the channel, as {@link #closedByMessage} tells.
   *
   * @param atMost after which the connection is closed, if what is written is not read
   */
  void write(List<OutgoingMessage> batch, Duration atMost) throws IOException;

  /**
   * Whether bundles cost less here than their messages. Written to another channel, they are
   * several messages with one answer.
   */
  default boolean isForBundles() {
    return false;
  }

  /** What has been answered since it was last asked for, by message-id; does not wait. */
  Published answered();

  /** Waits for the rest, at most until the deadline. */
  Published await(Duration deadline) throws InterruptedException;

  /** True when everything that was written has been answered. */
  boolean isSettled();

  boolean isOpen();

  /** What a message did to the channel, if that made the transport close it; else null. */
  default @Nullable Exception closedByMessage() {
    return null;
  }

  /** True while the transport has said that it takes no messages. */
  default boolean isBlocked() {
    return false;
  }

  /** Returns at once from a transport that takes nothing. */
  @Override
  void close();
}
