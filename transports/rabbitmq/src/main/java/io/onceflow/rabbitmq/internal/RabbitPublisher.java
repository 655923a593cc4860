package io.onceflow.rabbitmq.internal;

import io.onceflow.outbox.OutboxMessage;
import io.onceflow.outbox.internal.transport.BundlePolicy;
import io.onceflow.outbox.internal.transport.OutgoingMessage;
import io.onceflow.outbox.internal.transport.Publisher;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Publishes to RabbitMQ: persistent, mandatory (but for events), packed, confirms pipelined. One
 * channel, opened when needed and thrown away whenever anything about it is in doubt.
 */
final class RabbitPublisher implements Publisher {

  private static final Logger LOG = Logger.getLogger(RabbitPublisher.class);

  private static final Duration SHORTEST_WRITE = Duration.ofSeconds(1);

  private final BrokerConnection broker;
  private final BundlePolicy bundling;
  private @Nullable PublishingChannel channel;

  /** One whose packs are bounded by their length alone. */
  RabbitPublisher(BrokerConnection broker) {
    this(broker, new BundlePolicy(Integer.MAX_VALUE));
  }

  RabbitPublisher(BrokerConnection broker, BundlePolicy bundling) {
    this.broker = broker;
    this.bundling = bundling;
  }

  /**
   * All together; but a pack that the broker does not take is sent again as its messages, and when
   * one of them makes the broker close the channel, or cannot be written at all, the ones in doubt
   * are sent each alone, so that it holds up no other message.
   */
  @Override
  public Published publish(List<OutboxMessage> messages, Duration deadline)
      throws IOException, InterruptedException {
    long giveUpAt = System.nanoTime() + deadline.toNanos();
    PublishResults results = new PublishResults();
    List<OutgoingMessage> batch = OutgoingMessage.pack(messages, bundling);
    Exception spoiledBy = attempt(batch, giveUpAt, results);
    if (spoiledBy == null) {
      spoiledBy = unpack(batch, giveUpAt, results);
    }
    if (spoiledBy != null) {
      LOG.debugf(spoiledBy, "a batch of %d was spoiled", messages.size());
      eachAlone(messages, giveUpAt, results);
    }
    return results.published();
  }

  @Override
  public boolean isReady() {
    return broker.blocked().isEmpty();
  }

  @Override
  public void close() {
    PublishingChannel open = channel;
    channel = null;
    if (open != null) {
      open.close();
    }
  }

  /** Packs that were nacked, perhaps for their size, or returned since their binding has gone. */
  private @Nullable Exception unpack(
      List<OutgoingMessage> batch, long giveUpAt, PublishResults results)
      throws IOException, InterruptedException {
    List<OutboxMessage> refused =
        batch.stream()
            .filter(OutgoingMessage::isPack)
            .flatMap(outgoing -> outgoing.messages().stream())
            .filter(message -> results.isPackRefused(message.id()))
            .toList();
    if (refused.isEmpty()) {
      return null;
    }
    refused.forEach(message -> results.forget(message.id()));
    return attempt(OutgoingMessage.each(refused), giveUpAt, results);
  }

  private void eachAlone(List<OutboxMessage> messages, long giveUpAt, PublishResults results)
      throws IOException, InterruptedException {
    for (OutboxMessage message : messages) {
      if (!results.isKnown(message.id()) && System.nanoTime() < giveUpAt) {
        Exception spoiledBy = attempt(OutgoingMessage.each(List.of(message)), giveUpAt, results);
        if (spoiledBy != null && !results.isConfirmed(message.id())) {
          results.refuse(message.id(), spoiledBy.toString());
        }
      }
    }
  }

  /** Returns what one of them did to the channel, or null. */
  private @Nullable Exception attempt(
      List<OutgoingMessage> batch, long giveUpAt, PublishResults results)
      throws IOException, InterruptedException {
    PublishingChannel open = channel(toWrite(giveUpAt));
    boolean isSound = false;
    try {
      Exception unwritable = open.write(batch, toWrite(giveUpAt));
      results.note(batch, open.confirms().await(left(giveUpAt)));
      isSound = unwritable == null && open.confirms().isSettled() && open.isOpen();
      return unwritable != null ? unwritable : open.closedByMessage();
    } finally {
      if (!isSound) {
        close();
      }
    }
  }

  /** A deadline that is nearly over does not cost the connection, which others share. */
  private static Duration toWrite(long giveUpAt) {
    Duration left = left(giveUpAt);
    return left.compareTo(SHORTEST_WRITE) > 0 ? left : SHORTEST_WRITE;
  }

  private static Duration left(long giveUpAt) {
    return Duration.ofNanos(Math.max(0, giveUpAt - System.nanoTime()));
  }

  private PublishingChannel channel(Duration atMost) throws IOException {
    PublishingChannel open = channel;
    if (open == null || !open.isOpen()) {
      open = PublishingChannel.open(broker, new Confirms(), atMost);
      channel = open;
    }
    return open;
  }
}
