package io.onceflow.rabbitmq.internal;

import com.rabbitmq.client.AlreadyClosedException;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Return;
import com.rabbitmq.client.ShutdownSignalException;
import io.onceflow.outbox.internal.transport.MessageBundle;
import io.onceflow.outbox.internal.transport.MessageChannel;
import io.onceflow.outbox.internal.transport.OutgoingMessage;
import io.onceflow.outbox.internal.transport.Publisher.Published;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * A channel in confirm mode and the book-keeping of its confirms. It is thrown away whenever
 * anything about it is in doubt: confirms are told apart by counting, and after a publication that
 * failed half-way the client and the broker may count differently.
 */
final class PublishingChannel implements MessageChannel {

  private static final Logger LOG = Logger.getLogger(PublishingChannel.class);

  /** A broker that reads nothing for this long has to be connected to anew. */
  private static final Duration CLOSE_WITHIN = Duration.ofSeconds(2);

  /** A deadline that is nearly over does not cost the connection, which others share. */
  private static final Duration SHORTEST_WRITE = Duration.ofSeconds(1);

  private final BrokerLink link;
  private final Channel channel;
  private final Confirms confirms;

  private final BundleRoutes routes;
  private final int maxMessageSize;

  private PublishingChannel(
      BrokerLink link,
      Channel channel,
      Confirms confirms,
      BundleRoutes routes,
      int maxMessageSize) {
    this.routes = routes;
    this.maxMessageSize = maxMessageSize;
    this.link = link;
    this.channel = channel;
    this.confirms = confirms;
  }

  /**
   * Opens one; the confirms have been asked about nothing before.
   *
   * @param atMost for the broker to answer; its connection is closed if it does not
   */
  static PublishingChannel open(BrokerConnection broker, Confirms confirms, Duration atMost)
      throws IOException {
    BrokerLink link = broker.link();
    return link.within(atMost, () -> open(broker, link, confirms));
  }

  private static PublishingChannel open(BrokerConnection broker, BrokerLink link, Confirms confirms)
      throws IOException {
    Channel channel = link.openChannel();
    broker.topology().ensureExchanges(channel);
    channel.confirmSelect();
    channel.addConfirmListener(confirms::acked, confirms::nacked);
    BundleRoutes routes = broker.bundleRoutes();
    channel.addReturnListener(
        returned -> {
          // First, since Qpid returns what it has nacked before, and somebody waits for why.
          confirms.returned(idOf(returned), describe(returned));
          routes.returned(returned.getExchange(), returned.getRoutingKey(), isPack(returned));
        });
    channel.addShutdownListener(cause -> confirms.close());
    return new PublishingChannel(link, channel, confirms, routes, broker.maxMessageSize());
  }

  @Override
  public boolean isForPacks() {
    return true;
  }

  @Override
  public Published answered() {
    return confirms.answered();
  }

  @Override
  public Published await(Duration deadline) throws InterruptedException {
    return confirms.await(deadline);
  }

  @Override
  public boolean isSettled() {
    return confirms.isSettled();
  }

  @Override
  public boolean isOpen() {
    return link.isOpen() && channel.isOpen();
  }

  @Override
  public boolean isBlocked() {
    return link.blocked() != null;
  }

  /**
   * Where it is not known whether packs are taken, the next messages wait for the answer to the
   * first one, so that they do not overtake its messages if those are sent once more.
   */
  @Override
  public @Nullable Exception write(List<OutgoingMessage> batch, Duration atMost)
      throws IOException {
    long giveUpAt = System.nanoTime() + atMost.toNanos();
    Duration shortest = atMost.compareTo(SHORTEST_WRITE) < 0 ? atMost : SHORTEST_WRITE;
    PackedBatch packed = new PackedBatch(SendSpans.of(batch), routes, maxMessageSize);
    try {
      while (!packed.isEmpty()) {
        List<OutgoingMessage> next = packed.next();
        Exception unwritable = link.within(atLeast(shortest, left(giveUpAt)), () -> write(next));
        if (unwritable != null || isBlocked() || !learn(packed, giveUpAt)) {
          return unwritable;
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return null;
  }

  /** False where there was no answer: what has been written is in doubt. */
  private boolean learn(PackedBatch packed, long giveUpAt) throws InterruptedException {
    OutgoingMessage question = packed.question();
    if (question == null) {
      return true;
    }
    Optional<Boolean> isTaken = confirms.awaitOne(question.id(), left(giveUpAt));
    if (isTaken.isPresent() || closedByMessage() != null) {
      packed.answer(isTaken.orElse(false));
    }
    return isTaken.isPresent();
  }

  private static Duration atLeast(Duration shortest, Duration left) {
    return left.compareTo(shortest) > 0 ? left : shortest;
  }

  private static Duration left(long giveUpAt) {
    return Duration.ofNanos(Math.max(0, giveUpAt - System.nanoTime()));
  }

  private @Nullable Exception write(List<OutgoingMessage> batch) throws IOException {
    long sequenceNumber = 0;
    try {
      for (int i = 0; i < batch.size(); i++) {
        if (isBlocked()) {
          return null;
        }
        OutgoingMessage outgoing = batch.get(i);
        byte[] body = outgoing.body();
        sequenceNumber = channel.getNextPublishSeqNo();
        confirms.expect(
            sequenceNumber, outgoing.id(), outgoing.messageId(), isLastOfItsId(batch, i));
        checkSize(body);
        channel.basicPublish(
            outgoing.exchange(),
            outgoing.amqpKey(),
            outgoing.isAddressed(),
            AmqpProperties.of(outgoing),
            body);
      }
      return null;
    } catch (AlreadyClosedException e) {
      // What was confirmed before the channel closed is confirmed all the same.
      LOG.debugf("channel closed while publishing: %s", e.getMessage());
      return null;
    } catch (IllegalArgumentException e) {
      // Such as a routing key longer than AMQP can say. It was not sent: no confirm will come.
      confirms.forget(sequenceNumber);
      return e;
    }
  }

  private static boolean isLastOfItsId(List<OutgoingMessage> batch, int i) {
    return i + 1 == batch.size() || !batch.get(i + 1).id().equals(batch.get(i).id());
  }

  /** The broker would close the channel over it, and cost all that are published with it. */
  private void checkSize(byte[] body) {
    if (body.length > maxMessageSize) {
      throw new IllegalArgumentException(
          "a message of %s bytes is larger than onceflow.broker.max-message-size, %s"
              .formatted(body.length, maxMessageSize));
    }
  }

  /** The broker closes a channel, and nothing but that, over what was published on it. */
  @Override
  public @Nullable Exception closedByMessage() {
    ShutdownSignalException reason = channel.getCloseReason();
    boolean isOverMessage =
        reason != null && !reason.isHardError() && !reason.isInitiatedByApplication();
    return isOverMessage ? reason : null;
  }

  /**
   * Returns at once from a broker that takes nothing: it closes the channel when it reads again.
   */
  @Override
  public void close() {
    if (!channel.isOpen()) {
      return;
    }
    Thread closing = Thread.ofVirtual().name("channel-close").start(this::abort);
    if (isBlocked()) {
      return;
    }
    try {
      if (!closing.join(CLOSE_WITHIN)) {
        link.breakOff("the broker did not close a channel within " + CLOSE_WITHIN);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void abort() {
    try {
      channel.abort();
    } catch (IOException e) {
      LOG.debugf("channel did not close cleanly: %s", e.getMessage());
    }
  }

  private static UUID idOf(Return returned) {
    return UUID.fromString(returned.getProperties().getMessageId());
  }

  private static boolean isPack(Return returned) {
    return MessageBundle.CONTENT_TYPE.equals(returned.getProperties().getContentType());
  }

  private static String describe(Return returned) {
    if (isPack(returned)) {
      return Confirms.NOT_UNPACKED;
    }
    return "no queue is bound to exchange %s for routing key %s (%s %s)"
        .formatted(
            returned.getExchange(),
            returned.getRoutingKey(),
            returned.getReplyCode(),
            returned.getReplyText());
  }
}
