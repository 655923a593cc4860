package io.onceflow.rabbitmq.internal;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Envelope;
import io.onceflow.inbox.internal.consumer.Delivery;
import io.onceflow.outbox.internal.transport.MalformedBundle;
import io.onceflow.outbox.internal.transport.MessageBundle;
import io.onceflow.outbox.internal.transport.OutgoingMessage;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Reads what comes by one channel and hands it on: bundles are opened, and of a message that is too
 * large only the beginning is kept. Acknowledgements go to that channel, as many as can be in one
 * frame.
 */
public final class DeliveryReader {

  private final String queue;
  private final Acknowledgements acknowledgements;
  private final int largest;
  private final Consumer<Delivery> sink;

  /**
   * @param largest bytes that a message may have
   * @param sink takes each message without blocking
   */
  public DeliveryReader(Channel channel, String queue, int largest, Consumer<Delivery> sink) {
    this.queue = queue;
    this.largest = largest;
    this.acknowledgements = new Acknowledgements(channel);
    this.sink = sink;
  }

  /** What the channel's consumer holds of what the broker has sent. */
  SettledTags tags() {
    return acknowledgements.tags();
  }

  /**
   * To be called for one after the other, in the order of the queue.
   *
   * @throws DeliveriesMissing when some that the broker sent before did not arrive; the channel has
   *     to be closed, so that the broker sends them again
   */
  public void read(Envelope envelope, BasicProperties properties, byte[] body) {
    long tag = envelope.getDeliveryTag();
    if (!tags().isNext(tag)) {
      throw new DeliveriesMissing(queue, tags().last(), tag);
    }
    boolean isPack = MessageBundle.isPack(properties.getContentType());
    if (body.length > (isPack ? largestPack() : largest)) {
      sink.accept(whole(envelope, properties, body, null).truncated(largest));
      return;
    }
    if (!isPack) {
      sink.accept(whole(envelope, properties, body, null));
      return;
    }
    try {
      unpack(envelope, MessageBundle.decode(body), DeadLetters.history(properties.getHeaders()));
    } catch (MalformedBundle e) {
      sink.accept(whole(envelope, properties, body, e.getMessage()));
    }
  }

  /** Senders know nothing of this service's limit, which is for each message of a pack. */
  private int largestPack() {
    return Math.max(largest, OutgoingMessage.LARGEST_PACK_BYTES);
  }

  /** The routing key is by the pack's: only that one was checked by the broker. */
  private void unpack(
      Envelope envelope, List<MessageBundle.Packed> messages, Map<String, String> history) {
    List<Delivery.Receipt> receipts =
        acknowledgements.arrived(envelope.getDeliveryTag(), messages.size());
    String routingKey = MessageBundle.ownKey(envelope.getRoutingKey());
    for (int i = 0; i < messages.size(); i++) {
      MessageBundle.Packed one = messages.get(i);
      Delivery delivery =
          new Delivery(
              queue,
              one.messageId(),
              one.type(),
              one.correlationId(),
              one.replyTo(),
              history.isEmpty() ? one.headers() : DeadLetters.join(one.headers(), history),
              one.payload(),
              receipts.get(i),
              null,
              routingKey);
      sink.accept(one.payload().length > largest ? delivery.truncated(largest) : delivery);
    }
  }

  private Delivery whole(
      Envelope envelope, BasicProperties properties, byte[] body, @Nullable String fault) {
    return new Delivery(
        queue,
        properties.getMessageId(),
        properties.getType(),
        properties.getCorrelationId(),
        properties.getReplyTo(),
        text(properties.getHeaders()),
        body,
        acknowledgements.arrived(envelope.getDeliveryTag(), 1).getFirst(),
        fault,
        envelope.getRoutingKey());
  }

  private static Map<String, String> text(@Nullable Map<String, Object> headers) {
    return headers == null ? Map.of() : HeaderText.of(headers);
  }

  /** The broker has sent messages that did not arrive, as where a proxy between lost them. */
  public static final class DeliveriesMissing extends RuntimeException {

    private static final long serialVersionUID = 1L;

    DeliveriesMissing(String queue, long last, long next) {
      super(
          "deliveries %s to %s of %s did not arrive; the channel is closed, so that the broker sends them again"
              .formatted(last + 1, next - 1, queue));
    }
  }
}
