package io.onceflow.outbox.internal.transport;

import io.onceflow.outbox.OutboxMessage;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Publishes batches by a channel of its own, opened when needed and closed whenever anything about
 * it is in doubt. A pack that is refused is sent again as its messages.
 */
public class TransportPublisher implements Publisher {

  private static final Duration SHORTEST_WRITE = Duration.ofSeconds(1);

  protected final BundlePolicy bundling;
  private final MessageTransport transport;
  private @Nullable MessageChannel channel;

  public TransportPublisher(MessageTransport transport, BundlePolicy bundling) {
    this.transport = transport;
    this.bundling = bundling;
  }

  @Override
  public Published publish(List<OutboxMessage> messages, Duration deadline)
      throws IOException, InterruptedException {
    long giveUpAt = System.nanoTime() + deadline.toNanos();
    PublishResults results = new PublishResults();
    List<OutgoingMessage> batch = OutgoingMessage.pack(messages, bundling);
    attempt(batch, giveUpAt, results);
    unpack(batch, giveUpAt, results, id -> results.refusal(id) != null);
    return results.published();
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

  /** Publishes a batch; returns what one of its messages did to the channel, or null. */
  protected final @Nullable Exception attempt(
      List<OutgoingMessage> batch, long giveUpAt, PublishResults results)
      throws IOException, InterruptedException {
    MessageChannel open = channel(toWrite(giveUpAt));
    boolean isSound = false;
    try {
      Exception unwritable = open.write(batch, toWrite(giveUpAt));
      results.note(batch, open.await(left(giveUpAt)));
      isSound = unwritable == null && open.isSettled() && open.isOpen();
      return unwritable != null ? unwritable : open.closedByMessage();
    } finally {
      if (!isSound) {
        close();
      }
    }
  }

  /** Publishes the messages of those packs once more that were refused, each for itself. */
  protected final @Nullable Exception unpack(
      List<OutgoingMessage> batch, long giveUpAt, PublishResults results, Predicate<UUID> isRefused)
      throws IOException, InterruptedException {
    List<OutboxMessage> refused =
        batch.stream()
            .filter(OutgoingMessage::isPack)
            .flatMap(pack -> pack.messages().stream())
            .filter(message -> isRefused.test(message.id()))
            .toList();
    if (refused.isEmpty()) {
      return null;
    }
    refused.forEach(message -> results.forget(message.id()));
    return attempt(OutgoingMessage.each(refused), giveUpAt, results);
  }

  private MessageChannel channel(Duration atMost) throws IOException {
    MessageChannel open = channel;
    if (open == null || !open.isOpen()) {
      close();
      open = transport.openChannel(() -> {}, atMost);
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
