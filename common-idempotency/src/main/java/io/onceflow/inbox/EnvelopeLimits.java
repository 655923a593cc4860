package io.onceflow.inbox;

import io.onceflow.idempotency.ScopeResolver;
import io.onceflow.outbox.MessageHeaders;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * What an envelope may hold so that it can be kept and answered. A message from elsewhere, in a
 * pack above all, may hold anything; what the database or the broker would refuse later is refused
 * before anything is done for it.
 */
final class EnvelopeLimits {

  /** Bytes of an AMQP property: the answer repeats them. */
  private static final int LONGEST_PROPERTY = 255;

  private EnvelopeLimits() {}

  /**
   * @throws CannotHandle when it is beyond them
   */
  static void check(Delivery delivery) {
    String type = delivery.type();
    if (type != null && type.indexOf('\0') >= 0) {
      return; // nobody handles such a type, which says more than what else is wrong
    }
    property("correlation-id", delivery.correlationId());
    property("reply-to", delivery.replyTo());
    String traceparent = delivery.headers().get(MessageHeaders.TRACEPARENT);
    storable(MessageHeaders.TRACEPARENT, traceparent);
    String scope = delivery.headers().get(MessageHeaders.IDEMPOTENCY_SCOPE);
    storable(MessageHeaders.IDEMPOTENCY_SCOPE, scope);
    if (scope != null && scope.length() > ScopeResolver.MAX_LENGTH) {
      throw malformed(
          "header %s has %d characters, at most %d are kept"
              .formatted(
                  MessageHeaders.IDEMPOTENCY_SCOPE, scope.length(), ScopeResolver.MAX_LENGTH));
    }
  }

  private static void property(String name, @Nullable String value) {
    storable(name, value);
    if (value != null && value.getBytes(StandardCharsets.UTF_8).length > LONGEST_PROPERTY) {
      throw malformed(
          "%s is longer than the %d bytes of an AMQP property".formatted(name, LONGEST_PROPERTY));
    }
  }

  private static void storable(String name, @Nullable String value) {
    if (value != null && value.indexOf('\0') >= 0) {
      throw malformed(name + " holds the character NUL, which PostgreSQL does not keep");
    }
  }

  private static CannotHandle malformed(String why) {
    return new CannotHandle(ParkingReason.MALFORMED, why);
  }
}
