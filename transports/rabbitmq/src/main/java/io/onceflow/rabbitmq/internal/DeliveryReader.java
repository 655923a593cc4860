package io.onceflow.rabbitmq.internal;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Envelope;
import io.onceflow.inbox.internal.consumer.Delivery;
import io.onceflow.outbox.internal.transport.MalformedBundle;
import io.onceflow.outbox.internal.transport.MessageBundle;
import io.onceflow.outbox.internal.transport.OutgoingMessage;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Reads what comes by one channel and hands it on: bundles are opened, and of a message that is too
 * large only the beginning is kept. Acknowledgements go to that channel, as many as can be in one
 * frame.
 *
 * <p>An opened bundle takes four times its bytes or more. So no more are opened than one batch
 * needs; what comes ahead of it waits here as it came, and counts with its bytes, of which the
 * prefetch allows only so many ({@link ConsumerConfig#memory()}).
 */
public final class DeliveryReader {

  /** Deliveries are opened as long as those that are not settled have less. */
  static final int OPENED = 2 << 20;

  private final Channel channel;
  private final String queue;
  private final Acknowledgements acknowledgements;
  private final int largest;
  private final Consumer<Delivery> sink;

  /** Of what came, in the order of the queue. Its lock is held while some are handed on. */
  private final Queue<Runnable> unopened = new ArrayDeque<>();

  /** What had arrived when messages were found waiting though nothing came; -1 for never. */
  private long starvedAt = -1;

  private record Arrived(
      SettledTags.Part tag, Envelope envelope, BasicProperties properties, byte[] body) {}

  /**
   * @param largest bytes that a message may have
   * @param mostHeld deliveries that are kept for as long as a call takes, at most
   * @param sink takes each message without blocking
   */
  public DeliveryReader(
      Channel channel, String queue, int largest, int mostHeld, Consumer<Delivery> sink) {
    this.channel = channel;
    this.queue = queue;
    this.largest = largest;
    this.acknowledgements = new Acknowledgements(channel, mostHeld, this::handOn);
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
    Arrived arrived = new Arrived(tags().arrived(tag), envelope, properties, body);
    boolean isPack = MessageBundle.isPack(properties.getContentType());
    boolean isTooLarge = body.length > (isPack ? largestPack() : largest);
    if (isTooLarge) {
      // At once, so that it does not wait whole.
      Delivery beginning = whole(arrived, 0, null).truncated(largest);
      await(() -> sink.accept(beginning));
    } else if (isPack) {
      await(() -> unpack(arrived));
    } else {
      await(() -> sink.accept(whole(arrived, body.length, null)));
    }
    handOn();
  }

  private void await(Runnable opening) {
    synchronized (unopened) {
      unopened.add(opening);
    }
  }

  /**
   * Why the channel has to be closed: messages wait in the queue and twice in a row none has come,
   * though all that came is acknowledged. The broker then waits for acknowledgements of what did
   * not arrive here, or acknowledgements did not arrive there. To be asked by one thread, while the
   * consumer is not cancelled.
   *
   * @param interval at which it is asked
   */
  public Optional<String> starved(Duration interval) {
    long arrived = tags().last();
    long waiting = tags().isEmpty() ? waiting() : 0;
    boolean isStarving = waiting > 0 && arrived == tags().last();
    boolean isStarved = isStarving && starvedAt == arrived;
    starvedAt = isStarving ? arrived : -1;
    return isStarved
        ? Optional.of(
            "%s messages wait in it and none has come for %s s, though none is unacknowledged here"
                .formatted(waiting, interval.toSeconds()))
        : Optional.empty();
  }

  /** How many messages the broker could send; none while it cannot be asked. */
  private long waiting() {
    try {
      return channel.messageCount(queue);
    } catch (IOException | RuntimeException e) {
      // Where the channel is closed, consumption ends by that.
      return 0;
    }
  }

  /** Drops what was not handed on: the channel has ended, and the broker sends it again. */
  public void close() {
    synchronized (unopened) {
      unopened.clear();
    }
  }

  private void handOn() {
    synchronized (unopened) {
      while (!unopened.isEmpty() && acknowledgements.inHand() < OPENED) {
        unopened.remove().run();
      }
    }
  }

  private void unpack(Arrived pack) {
    try {
      unpack(
          pack, MessageBundle.decode(pack.body), DeadLetters.history(pack.properties.getHeaders()));
    } catch (MalformedBundle e) {
      sink.accept(whole(pack, pack.body.length, e.getMessage()));
    }
  }

  /** Senders know nothing of this service's limit, which is for each message of a pack. */
  private int largestPack() {
    return Math.max(largest, OutgoingMessage.LARGEST_PACK_BYTES);
  }

  /** The routing key is by the pack's: only that one was checked by the broker. */
  private void unpack(
      Arrived pack, List<MessageBundle.Packed> messages, Map<String, String> history) {
    List<Delivery.Receipt> receipts =
        acknowledgements.receipts(pack.tag, messages.size(), pack.body.length);
    String routingKey = MessageBundle.ownKey(pack.envelope.getRoutingKey());
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

  private Delivery whole(Arrived one, int bytes, @Nullable String fault) {
    BasicProperties properties = one.properties;
    return new Delivery(
        queue,
        properties.getMessageId(),
        properties.getType(),
        properties.getCorrelationId(),
        properties.getReplyTo(),
        text(properties.getHeaders()),
        one.body,
        acknowledgements.receipts(one.tag, 1, bytes).getFirst(),
        fault,
        one.envelope.getRoutingKey());
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
