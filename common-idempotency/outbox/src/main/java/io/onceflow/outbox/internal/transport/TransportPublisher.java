package io.onceflow.outbox.internal.transport;

import io.onceflow.outbox.OutboxMessage;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Publishes the batches of one relay thread by a channel of its own, opened when needed and closed
 * whenever anything about it is in doubt. A bundle that is refused is resent as its messages; and
 * when a message makes the channel close, those that are not answered are sent each alone, so that
 * it holds up no other.
 */
public final class TransportPublisher implements Publisher {

  private static final Duration SHORTEST_WRITE = Duration.ofSeconds(1);

  private final BundlePolicy bundling;
  private final MessageTransport transport;
  private @Nullable MessageChannel channel;

  /**
   * @param bundling which messages may go out several to a bundle, where the transport has bundles
   */
  public TransportPublisher(MessageTransport transport, BundlePolicy bundling) {
    this.transport = transport;
    this.bundling = bundling;
  }

  @Override
  public Published publish(List<OutboxMessage> messages, Duration deadline)
      throws IOException, InterruptedException {
    long giveUpAt = System.nanoTime() + deadline.toNanos();
    Published results = new Published(new HashSet<>(), new HashMap<>());
    List<OutgoingMessage> batch = outgoing(messages, channel(toWrite(giveUpAt)));
    Exception closedBy = attempt(batch, giveUpAt, results);
    List<OutboxMessage> ofRefusedBundles =
        batch.stream()
            .filter(OutgoingMessage::isBundle)
            .flatMap(bundle -> bundle.messages().stream())
            .filter(message -> results.refused().remove(message.id()) != null)
            .toList();
    if (closedBy == null && !ofRefusedBundles.isEmpty()) {
      closedBy = attempt(OutgoingMessage.each(ofRefusedBundles), giveUpAt, results);
    }
    if (closedBy != null) {
      eachAlone(messages, giveUpAt, results);
    }
    return results;
  }

  private List<OutgoingMessage> outgoing(List<OutboxMessage> messages, MessageChannel open) {
    return open.isForBundles()
        ? OutgoingMessage.bundle(messages, bundling)
        : OutgoingMessage.each(messages);
  }

  private void eachAlone(List<OutboxMessage> messages, long giveUpAt, Published results)
      throws IOException, InterruptedException {
    for (OutboxMessage message : messages) {
      if (!isAnswered(message, results) && System.nanoTime() < giveUpAt) {
        Exception closedBy = attempt(OutgoingMessage.each(List.of(message)), giveUpAt, results);
        if (closedBy != null && !isAnswered(message, results)) {
          results.refused().put(message.id(), closedBy.toString());
        }
      }
    }
  }

  private static boolean isAnswered(OutboxMessage message, Published results) {
    return results.confirmed().contains(message.id())
        || results.refused().containsKey(message.id());
  }

  /** Publishes a batch; returns what one of its messages did to the channel, or null. */
  private @Nullable Exception attempt(List<OutgoingMessage> batch, long giveUpAt, Published results)
      throws IOException, InterruptedException {
    MessageChannel open = channel(toWrite(giveUpAt));
    boolean isSound = false;
    try {
      open.write(batch, toWrite(giveUpAt));
      note(batch, open.await(left(giveUpAt)), results);
      isSound = open.isSettled() && open.isOpen();
      return open.closedByMessage();
    } finally {
      if (!isSound) {
        close();
      }
    }
  }

  /** The answer to a bundle is that to its messages. */
  private static void note(List<OutgoingMessage> batch, Published answers, Published results) {
    for (OutgoingMessage outgoing : batch) {
      String why = answers.refused().get(outgoing.id());
      for (OutboxMessage message : outgoing.messages()) {
        if (answers.confirmed().contains(outgoing.id())) {
          results.confirmed().add(message.id());
        } else if (why != null) {
          results.refused().put(message.id(), why);
        }
      }
    }
  }

  @Override
  public boolean isReady() {
    return transport.blocked().isEmpty();
  }

  @Override
  public void close() {
    MessageChannel open = channel;
    channel = null;
    if (open != null) {
      open.close();
    }
  }

  private MessageChannel channel(Duration atMost) throws IOException {
    MessageChannel open = channel;
    if (open == null || !open.isOpen()) {
      close();
      open = transport.openChannel(atMost);
      channel = open;
    }
    return open;
  }

  /** A deadline that is nearly over does not cost the connection, which others share. */
  private static Duration toWrite(long giveUpAt) {
    Duration left = left(giveUpAt);
    return left.compareTo(SHORTEST_WRITE) > 0 ? left : SHORTEST_WRITE;
  }

  private static Duration left(long giveUpAt) {
    return Duration.ofNanos(Math.max(0, giveUpAt - System.nanoTime()));
  }
}
