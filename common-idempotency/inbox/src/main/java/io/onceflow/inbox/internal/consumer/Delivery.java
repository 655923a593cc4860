package io.onceflow.inbox.internal.consumer;

import io.onceflow.core.internal.Fingerprint;
import io.onceflow.core.internal.Printable;
import io.onceflow.internal.tracing.LogContext;
import io.onceflow.outbox.internal.MessageHeaders;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A message as the transport handed it over, unread: all that a transport has to offer to feed an
 * {@link BatchConsumer}.
 *
 * @param queue where it came from
 * @param messageId AMQP message-id, null where the sender left it out; likewise the next three
 * @param type names the payload's shape, such as {@code ProcessPayment}
 * @param correlationId the saga's id
 * @param replyTo routing key for the answer
 * @param headers as text
 * @param body the payload, byte for byte
 * @param acknowledge tells the transport that the message is settled for good (rule 2: only after
 *     the commit); never throws; may be a {@link Receipt}
 * @param fault why the transport could not make sense of it, null where it could; such a message is
 *     parked as it is
 * @param routingKey under which the broker accepted it; that of the bundle, without its first word,
 *     where it came in one; null where the transport has none
 */
public record Delivery(
    String queue,
    @Nullable String messageId,
    @Nullable String type,
    @Nullable String correlationId,
    @Nullable String replyTo,
    Map<String, String> headers,
    byte[] body,
    Runnable acknowledge,
    @Nullable String fault,
    @Nullable String routingKey)
    implements BatchItem {

  /** How often RabbitMQ's quorum queues have delivered it before, in vain. */
  public static final String DELIVERY_COUNT = "x-delivery-count";

  /** Twenty times or more, which is RabbitMQ's own limit by default. */
  private static final Pattern DELIVERED_TOO_OFTEN = Pattern.compile("[2-9][0-9]|[1-9][0-9]{2,18}");

  /** An acknowledgement that costs less together with others. */
  public interface Receipt extends Runnable {

    /**
     * Notes that the message is settled, without telling the transport yet.
     *
     * @return tells the transport of all that was noted; never throws; the same for all messages
     *     that can be acknowledged together
     */
    Runnable note();

    /**
     * True once the transport will deliver the message again, as when its channel has closed: it
     * can be acknowledged no more.
     */
    default boolean isLost() {
      return false;
    }

    /**
     * Whether the transport keeps the message unacknowledged for as long as a call takes, and
     * continues delivering others meanwhile. It bounds how many it keeps so.
     *
     * @param promised what is about to be kept so, as the transport counts it; this is added
     */
    default boolean mayBeHeld(Set<Object> promised) {
      return false;
    }

    /**
     * Keeps the message so: {@link Delivery#acknowledge(List)} does not note it from now on.
     *
     * @return as {@link #note}
     */
    default Runnable hold() {
      return () -> {};
    }

    /** Whether the message is kept so, or was until it was settled. */
    default boolean isHeld() {
      return false;
    }

    @Override
    default void run() {
      note().run();
    }
  }

  /** A message that the transport found in order. */
  public Delivery(
      String queue,
      @Nullable String messageId,
      @Nullable String type,
      @Nullable String correlationId,
      @Nullable String replyTo,
      Map<String, String> headers,
      byte[] body,
      Runnable acknowledge) {
    this(queue, messageId, type, correlationId, replyTo, headers, body, acknowledge, null, null);
  }

  /**
   * The beginning of a message that is larger than it may be, marked, so that it is never taken for
   * the message; parked as too large.
   *
   * @param largest bytes that a message may have
   */
  public Delivery truncated(int largest) {
    return MessageTooLarge.of(this, largest);
  }

  /** The same, with a header more or another value of it. */
  Delivery with(String header, String value) {
    Map<String, String> changed = new HashMap<>(headers);
    changed.put(header, value);
    return new Delivery(
        queue,
        messageId,
        type,
        correlationId,
        replyTo,
        changed,
        body,
        acknowledge,
        fault,
        routingKey);
  }

  /**
   * True for what consumers were given so often without acknowledging it that it may be what ends
   * them. It is parked before it is handled, so that its attempts are counted.
   */
  boolean isDeliveredTooOften() {
    String count = headers.get(DELIVERY_COUNT);
    return count != null && DELIVERED_TOO_OFTEN.matcher(count).matches();
  }

  /** SHA-256 of type and payload, byte for byte: of a payload that is not text, too. */
  public Fingerprint fingerprint() {
    return Fingerprint.of(Objects.requireNonNull(type).getBytes(StandardCharsets.UTF_8), body);
  }

  @Override
  public Delivery delivery() {
    return this;
  }

  /** True for what comes again whatever is done with it now. */
  boolean isLost() {
    return acknowledge instanceof Receipt receipt && receipt.isLost();
  }

  /** What log lines about it are about, as far as one knows before looking into it. */
  public LogContext about() {
    return LogContext.saga(correlationId, null, type, headers.get(MessageHeaders.TRACEPARENT));
  }

  /** See {@link Receipt#mayBeHeld}. */
  public boolean mayBeHeld(Set<Object> promised) {
    return acknowledge instanceof Receipt receipt && receipt.mayBeHeld(promised);
  }

  /** See {@link Receipt#hold}. */
  public void hold() {
    if (acknowledge instanceof Receipt receipt) {
      receipt.hold();
    }
  }

  /**
   * Tells the transport that all these are settled for good, but for those that are held, as few
   * times as it can be told.
   */
  public static void acknowledge(List<Delivery> settled) {
    acknowledge(settled, receipt -> receipt.isHeld() ? receipt.hold() : receipt.note());
  }

  /** As {@link #acknowledge(List)}, those that are held as well. */
  public static void release(List<Delivery> settled) {
    acknowledge(settled, Receipt::note);
  }

  private static void acknowledge(List<Delivery> settled, Function<Receipt, Runnable> noted) {
    Set<Runnable> acknowledgements = Collections.newSetFromMap(new IdentityHashMap<>());
    for (Delivery delivery : settled) {
      if (delivery.acknowledge instanceof Receipt receipt) {
        acknowledgements.add(noted.apply(receipt));
      } else {
        delivery.acknowledge.run();
      }
    }
    acknowledgements.forEach(Runnable::run);
  }

  /** For logs: what it calls itself. */
  @Override
  public String toString() {
    return "%s %s from %s".formatted(Printable.escape(type), Printable.escape(messageId), queue);
  }
}
