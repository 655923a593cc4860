package io.onceflow.messaging.once.internal;

import io.onceflow.inbox.internal.consumer.Delivery.Receipt;
import java.util.concurrent.atomic.AtomicBoolean;
import org.eclipse.microprofile.reactive.messaging.Message;
import org.jboss.logging.Logger;

/**
 * The acknowledgement of a channel's message. Its place is given back when it is acknowledged, or
 * when it is known that the connector delivers it again.
 *
 * @param acknowledgement how the connector is told
 */
record ChannelReceipt(
    Message<?> message, Acknowledgement acknowledgement, Room room, AtomicBoolean left)
    implements Receipt {

  private static final Logger LOG = Logger.getLogger(ChannelReceipt.class);

  ChannelReceipt(Message<?> message, Acknowledgement acknowledgement, Room room) {
    this(message, acknowledgement, room, new AtomicBoolean());
  }

  @Override
  public Runnable note() {
    return this::acknowledge;
  }

  private void acknowledge() {
    try {
      acknowledgement.send();
    } catch (RuntimeException e) {
      LOG.debugf(e, "a message was not acknowledged; it is redelivered and changes nothing");
    } finally {
      leave();
    }
  }

  @Override
  public boolean isLost() {
    boolean isLost = acknowledgement.isLost();
    if (isLost) {
      leave();
    }
    return isLost;
  }

  private void leave() {
    if (left.compareAndSet(false, true)) {
      room.giveBack();
    }
  }
}
