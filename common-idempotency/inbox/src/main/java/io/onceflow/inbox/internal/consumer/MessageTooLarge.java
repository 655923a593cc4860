package io.onceflow.inbox.internal.consumer;

import io.onceflow.core.internal.Fingerprint;
import io.onceflow.inbox.internal.parking.ParkingReason;
import io.onceflow.outbox.internal.MessageHeaders;
import io.onceflow.participant.Answer.UnprocessableMessage;
import java.util.Arrays;

/** A message that is larger than it may be: what is kept of it is its beginning. */
final class MessageTooLarge {

  /** Enough to see what it is. */
  private static final int KEPT = 1024;

  private MessageTooLarge() {}

  /** The beginning of a message, marked, so that it is never taken for the message. */
  static Delivery of(Delivery whole, int largest) {
    byte[] body = whole.body();
    String what =
        "%s bytes, more than onceflow.inbox.consumer.max-message-size (%s); SHA-256 %s"
            .formatted(body.length, largest, Fingerprint.of(body));
    return new Delivery(
            whole.queue(),
            whole.messageId(),
            whole.type(),
            whole.correlationId(),
            whole.replyTo(),
            whole.headers(),
            Arrays.copyOf(body, Math.min(KEPT, body.length)),
            whole.acknowledge(),
            whole.fault(),
            whole.routingKey())
        .with(MessageHeaders.TRUNCATED, what);
  }

  /**
   * @throws UnprocessableMessage when only the beginning of a message is there
   */
  static void check(Delivery delivery) {
    String what = delivery.headers().get(MessageHeaders.TRUNCATED);
    if (what != null) {
      throw new UnprocessableMessage(
          ParkingReason.TOO_LARGE, "it has %s; only its beginning is kept".formatted(what));
    }
  }
}
