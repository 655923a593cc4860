package io.onceflow.inbox.internal.consumer;

import io.onceflow.core.ScopeResolver;
import io.onceflow.core.internal.Printable;
import io.onceflow.inbox.internal.parking.ParkingReason;
import io.onceflow.outbox.internal.MessageHeaders;
import io.onceflow.participant.Answer.UnprocessableMessage;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What an envelope may hold so that it can be kept and answered. A message from elsewhere, in a
 * bundle above all, may hold anything; what the database or the broker would refuse later is
 * refused before anything is done for it.
 */
final class EnvelopeLimits {

  /** Bytes of an AMQP property: the answer repeats them. */
  private static final int LONGEST_PROPERTY = 255;

  /** The answer's routing key is this, a full stop and the name of the participant. */
  private static final int LONGEST_REPLY_TO = 190;

  /** A broker refuses an answer whose headers do not fit into a frame, 128 KiB for RabbitMQ. */
  private static final int LONGEST_TRACEPARENT = 255;

  /**
   * What a saga's definition may call a step, and the key of an item behind it where the step is
   * taken for each. Step keys parse from their last colon.
   */
  private static final Pattern STEP =
      Pattern.compile("[A-Za-z0-9._-]{1,64}(/[A-Za-z0-9._-]{1,64})?");

  /** Printable, without spaces and colons. */
  private static final Pattern ORIGIN = Pattern.compile("[!-9;-~]{1,255}");

  /** Names of classes in any language, with or without a namespace. */
  private static final Pattern TYPE = Pattern.compile("[A-Za-z][A-Za-z0-9._/-]{0,127}");

  /** A word that is shown to an operator if it is not one of those that are known. */
  private static final Pattern OUTCOME = Pattern.compile("[a-z-]{1,32}");

  private EnvelopeLimits() {}

  /**
   * @throws UnprocessableMessage when it is beyond them
   */
  static void check(Delivery delivery) {
    String type = delivery.type();
    if (type != null && !TYPE.matcher(type).matches()) {
      throw new UnprocessableMessage(
          ParkingReason.UNKNOWN_TYPE, "the AMQP property type does not match " + TYPE);
    }
    property("correlation-id", delivery.correlationId(), LONGEST_PROPERTY);
    property("reply-to", delivery.replyTo(), LONGEST_REPLY_TO);
    identity(delivery);
    String traceparent = delivery.headers().get(MessageHeaders.TRACEPARENT);
    property("header " + MessageHeaders.TRACEPARENT, traceparent, LONGEST_TRACEPARENT);
    String scope = delivery.headers().get(MessageHeaders.IDEMPOTENCY_SCOPE);
    storable(MessageHeaders.IDEMPOTENCY_SCOPE, scope);
    if (scope != null && scope.length() > ScopeResolver.MAX_LENGTH) {
      throw malformed(
          "header %s has %s characters, at most %s are kept"
              .formatted(
                  MessageHeaders.IDEMPOTENCY_SCOPE, scope.length(), ScopeResolver.MAX_LENGTH));
    }
  }

  /** What belongs to the identity of a step is stored, compared and repeated in the reply. */
  private static void identity(Delivery delivery) {
    named(delivery, MessageHeaders.SAGA_ORIGIN, ORIGIN);
    named(delivery, MessageHeaders.SAGA_STEP, STEP);
    named(delivery, MessageHeaders.SAGA_UNDOES, STEP);
    named(delivery, MessageHeaders.OUTCOME, OUTCOME);
  }

  private static void named(Delivery delivery, String header, Pattern allowed) {
    String value = delivery.headers().get(header);
    if (value != null && !allowed.matcher(value).matches()) {
      throw malformed("header %s does not match %s".formatted(header, allowed));
    }
  }

  private static void property(String name, @Nullable String value, int longest) {
    if (value != null && !Printable.is(value)) {
      throw malformed(name + " holds characters that cannot be printed");
    }
    if (value != null && value.getBytes(StandardCharsets.UTF_8).length > longest) {
      throw malformed("%s is longer than %s bytes".formatted(name, longest));
    }
  }

  private static void storable(String name, @Nullable String value) {
    if (value != null && value.indexOf('\0') >= 0) {
      throw malformed(name + " holds the character NUL, which PostgreSQL does not keep");
    }
  }

  private static UnprocessableMessage malformed(String why) {
    return new UnprocessableMessage(ParkingReason.MALFORMED, why);
  }
}
