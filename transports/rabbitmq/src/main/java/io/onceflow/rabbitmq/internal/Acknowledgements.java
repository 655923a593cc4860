package io.onceflow.rabbitmq.internal;

import com.rabbitmq.client.AlreadyClosedException;
import com.rabbitmq.client.Channel;
import io.onceflow.inbox.internal.consumer.Delivery;
import java.io.IOException;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
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

  private final SettledTags tags;
  private final AtomicLong inHand = new AtomicLong();
  private final Channel channel;
  private final Runnable onSettled;

  /**
   * @param mostHeld deliveries that are kept for as long as a call takes, at most
   * @param onSettled run after each acknowledgement; does not block
   */
  Acknowledgements(Channel channel, int mostHeld, Runnable onSettled) {
    this.tags = new SettledTags(mostHeld);
    this.channel = channel;
    this.onSettled = onSettled;
  }

  SettledTags tags() {
    return tags;
  }

  /** Bytes of the messages that have receipts and are neither settled nor held. */
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
        boolean isHeld = tags.isHeld(part);
        if (tags.settled(part) && !isHeld) {
          inHand.addAndGet(-bytes);
        }
        return Acknowledgements.this;
      }

      @Override
      public boolean mayBeHeld(Set<Object> promised) {
        return tags.mayBeHeld(part, promised);
      }

      @Override
      public Runnable hold() {
        if (tags.hold(part)) {
          inHand.addAndGet(-bytes);
        }
        return Acknowledgements.this;
      }

      @Override
      public boolean isHeld() {
        return tags.isHeld(part);
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
    try {
      if (upTo.isPresent()) {
        channel.basicAck(upTo.getAsLong(), true);
      }
      for (long tag : tags.toAcknowledgeApart()) {
        channel.basicAck(tag, false);
      }
    } catch (IOException | AlreadyClosedException e) {
      LOG.debugf("not acknowledged, so it will come again: %s", e.getMessage());
    }
  }
}
