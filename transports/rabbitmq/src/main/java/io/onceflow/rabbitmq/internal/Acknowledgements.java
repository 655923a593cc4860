package io.onceflow.rabbitmq.internal;

import com.rabbitmq.client.AlreadyClosedException;
import com.rabbitmq.client.Channel;
import io.onceflow.inbox.internal.consumer.Delivery;
import java.io.IOException;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.jboss.logging.Logger;

/**
 * The acknowledgements of one channel: as many as can be in one frame. A message is acknowledged on
 * the channel that it came by, or not at all: on another one the same delivery tag means nothing,
 * which closes that channel, or means another message, which may not be settled yet (rule 2).
 */
final class Acknowledgements implements Runnable {

  private static final Logger LOG = Logger.getLogger(Acknowledgements.class);

  private final SettledTags tags = new SettledTags();
  private final Channel channel;

  Acknowledgements(Channel channel) {
    this.channel = channel;
  }

  SettledTags tags() {
    return tags;
  }

  /** Receipts for the messages of one delivery, at least one, in their order. */
  List<Delivery.Receipt> arrived(long deliveryTag, int messages) {
    return Stream.of(tags.arrived(deliveryTag, messages)).map(this::receipt).toList();
  }

  private Delivery.Receipt receipt(SettledTags.Part part) {
    return new Delivery.Receipt() {
      @Override
      public Runnable note() {
        tags.settled(part);
        return Acknowledgements.this;
      }

      @Override
      public boolean isLost() {
        return !channel.isOpen();
      }
    };
  }

  /**
   * Acknowledges what can be. One at a time, so that the tags go out in rising order. A broker that
   * has gone cannot be told; it sends the messages again, and the inbox knows them.
   */
  @Override
  public synchronized void run() {
    OptionalLong upTo = tags.toAcknowledge();
    if (upTo.isEmpty()) {
      return;
    }
    try {
      channel.basicAck(upTo.getAsLong(), true);
    } catch (IOException | AlreadyClosedException e) {
      LOG.debugf("not acknowledged, so it will come again: %s", e.getMessage());
    }
  }
}
