package io.onceflow.inbox.internal.consumer;

import io.onceflow.core.internal.Fingerprint;
import org.jspecify.annotations.Nullable;

/**
 * A message whose envelope is in order, with the delivery that brought it.
 *
 * @param delivery as the transport handed it over
 * @param message its envelope, read
 */
public record ReceivedMessage(Delivery delivery, InboundMessage message) {

  /**
   * The routing key under which the broker accepted the message. Topic permissions decide who may
   * use which routing key, so unlike a header it says who sent the message. Null where the
   * transport knows no routing keys.
   */
  public @Nullable String routingKey() {
    return delivery.routingKey();
  }

  Fingerprint fingerprint() {
    return delivery.fingerprint();
  }
}
