package io.onceflow.rabbitmq.internal;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.AlreadyClosedException;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Envelope;
import io.onceflow.inbox.internal.consumer.Delivery;
import io.onceflow.inbox.internal.consumer.OrderedReceipts;
import io.onceflow.outbox.internal.transport.MalformedBundle;
import io.onceflow.outbox.internal.transport.MessageBundle;
import io.onceflow.outbox.internal.transport.OutgoingMessage;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.function.Consumer;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Reads what comes by one channel and hands it on: bundles are opened, and of a message that is too
 * large only the beginning is kept. A message is acknowledged on the channel that it came by, or
 * not at all: on another one the same delivery tag means nothing, which closes that channel, or
 * means another message, which may not be settled yet (rule 2).
 *
 * <p>An opened bundle takes four times its bytes or more. So no more are opened than one batch
 * needs; what comes ahead of it waits here as it came, and counts with its bytes, of which the
 * prefetch allows only so many ({@link ConsumerConfig#memory()}).
 */
public final class DeliveryReader {

  /** Deliveries are opened as long as those that are not settled have less. */
  static final int OPENED = 2 << 20;

  /** Messages that wait are sent within milliseconds; asking costs the broker next to nothing. */
  public static final Duration CHECK_INTERVAL = Duration.ofSeconds(15);

  private static final Logger LOG = Logger.getLogger(DeliveryReader.class);

  private final Channel channel;
  private final String queue;
  private final Receipts receipts;
  private final int largest;
  private final Consumer<Delivery> sink;

  /** Of what came, in the order of the queue. Its lock is held while some are handed on. */
  private final Queue<Runnable> unopened = new ArrayDeque<>();

  /** The last tag that arrived. A channel counts its deliveries from 1. */
  private volatile long last;

  /** What had arrived when messages were found waiting though nothing came; -1 for never. */
  private long starvedAt = -1;

  private record Arrived(
      OrderedReceipts.Position tag, Envelope envelope, BasicProperties properties, byte[] body) {}

  /**
   * @param prefetch of which half may be held: as many come in meanwhile, whatever the calls are
   *     like that these wait for
   * @param largest bytes that a message may have
   * @param sink takes each message without blocking
   */
  public DeliveryReader(
      Channel channel, String queue, int prefetch, int largest, Consumer<Delivery> sink) {
    this.channel = channel;
    this.queue = queue;
    this.largest = largest;
    this.receipts = new Receipts(prefetch / 2);
    this.sink = sink;
  }

  private final class Receipts extends OrderedReceipts {

    private Receipts(int mostHeld) {
      super(mostHeld);
    }

    @Override
    protected boolean isLost() {
      return !channel.isOpen();
    }

    @Override
    protected void acknowledge() {
      sendAcknowledgements();
      handOn();
    }
  }

  /**
   * One thread at a time, so that the tags go out in rising order, and as many as can be in one
   * frame. A broker that has gone sends the messages again, and the inbox knows them.
   */
  private synchronized void sendAcknowledgements() {
    try {
      OptionalLong upTo = receipts.toAcknowledge();
      if (upTo.isPresent()) {
        channel.basicAck(upTo.getAsLong(), true);
      }
      for (long tag : receipts.toAcknowledgeApart()) {
        channel.basicAck(tag, false);
      }
    } catch (IOException | AlreadyClosedException e) {
      LOG.debugf("not acknowledged, so it will be redelivered: %s", e.getMessage());
    }
  }

  /** Messages sent ahead: no more than there is memory for, if each is as large as is allowed. */
  public static int prefetch(ConsumerConfig config) {
    int largest = Math.max(OutgoingMessage.LARGEST_BUNDLE_BYTES, config.maxMessageSize());
    return Math.clamp(config.memory() / largest, 1, config.prefetch());
  }

  /** Whether all that arrived is acknowledged. */
  boolean isIdle() {
    return receipts.isEmpty();
  }

  /**
   * To be called for one after the other, in the order of the queue.
   *
   * @return why the channel has to be closed: some that the broker sent before did not arrive, as
   *     where a proxy between lost them, and it sends them again
   */
  Optional<String> read(Envelope envelope, BasicProperties properties, byte[] body) {
    long tag = envelope.getDeliveryTag();
    if (tag != last + 1) {
      return Optional.of(
          "deliveries %s to %s of %s did not arrive; the channel is closed, so that the broker sends them again"
              .formatted(last + 1, tag - 1, queue));
    }
    last = tag;
    Arrived arrived = new Arrived(receipts.arrived(tag), envelope, properties, body);
    boolean isBundle = MessageBundle.isBundle(properties.getContentType());
    boolean isTooLarge = body.length > (isBundle ? largestBundle() : largest);
    if (isTooLarge) {
      // At once, so that it does not wait whole.
      Delivery beginning = whole(arrived, 0, null).truncated(largest);
      await(() -> sink.accept(beginning));
    } else if (isBundle) {
      await(() -> readBundle(arrived));
    } else {
      await(() -> sink.accept(whole(arrived, body.length, null)));
    }
    handOn();
    return Optional.empty();
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
  Optional<String> starved(Duration interval) {
    long arrived = last;
    long waiting = isIdle() ? waiting() : 0;
    boolean isStarving = waiting > 0 && arrived == last;
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
      while (!unopened.isEmpty() && receipts.inHand() < OPENED) {
        unopened.remove().run();
      }
    }
  }

  private void readBundle(Arrived bundle) {
    try {
      readBundle(
          bundle,
          MessageBundle.decode(bundle.body),
          DeadLetters.history(bundle.properties.getHeaders()));
    } catch (MalformedBundle e) {
      sink.accept(whole(bundle, bundle.body.length, e.getMessage()));
    }
  }

  /** Senders know nothing of this service's limit, which is for each message of a bundle. */
  private int largestBundle() {
    return Math.max(largest, OutgoingMessage.LARGEST_BUNDLE_BYTES);
  }

  /** The routing key is by the bundle's: only that one was checked by the broker. */
  private void readBundle(
      Arrived bundle, List<MessageBundle.Bundled> messages, Map<String, String> history) {
    // Each has its bytes for itself: one that waits for a lock keeps no bundle.
    List<Delivery.Receipt> each =
        receipts.receipts(bundle.tag, messages.size(), bundle.body.length / messages.size());
    String routingKey = MessageBundle.ownKey(bundle.envelope.getRoutingKey());
    for (int i = 0; i < messages.size(); i++) {
      MessageBundle.Bundled one = messages.get(i);
      Delivery delivery =
          new Delivery(
              queue,
              one.messageId(),
              one.type(),
              one.correlationId(),
              one.replyTo(),
              history.isEmpty() ? one.headers() : DeadLetters.join(one.headers(), history),
              one.payload(),
              each.get(i),
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
        receipts.receipts(one.tag, 1, bytes).getFirst(),
        fault,
        one.envelope.getRoutingKey());
  }

  private static Map<String, String> text(@Nullable Map<String, Object> headers) {
    return headers == null ? Map.of() : HeaderText.of(headers);
  }
}
