package io.onceflow.rabbitmq.internal;

import com.rabbitmq.client.AlreadyClosedException;
import com.rabbitmq.client.Channel;
import io.onceflow.inbox.internal.consumer.Delivery;
import java.io.IOException;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;
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
  private final AtomicLong inHand = new AtomicLong();
  private final Channel channel;
  private final Runnable onSettled;

  /**
   * @param onSettled run after each acknowledgement; does not block
   */
  Acknowledgements(Channel channel, Runnable onSettled) {
    this.channel = channel;
    this.onSettled = onSettled;
  }

  SettledTags tags() {
    return tags;
  }

  /** Bytes of the messages that have receipts and are not settled. */
  long inHand() {
    return inHand.get();
  }

  /**
   * Receipts for the messages of one delivery, at least one, in their order. Each message is free
   * as it is settled, since it has its bytes for itself: one that waits for a lock keeps no pack.
   *
   * @param bytes of the delivery
   */
  List<Delivery.Receipt> receipts(SettledTags.Part delivery, int messages, int bytes) {
    int share = bytes / messages;
    inHand.addAndGet((long) share * messages);
    return Stream.of(tags.split(delivery, messages)).map(part -> receipt(part, share)).toList();
  }

  private Delivery.Receipt receipt(SettledTags.Part part, int bytes) {
    return new Delivery.Receipt() {
      @Override
      public Runnable note() {
        if (tags.settled(part)) {
          inHand.addAndGet(-bytes);
        }
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
  public void run() {
    acknowledge();
    onSettled.run();
  }

  private synchronized void acknowledge() {
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
