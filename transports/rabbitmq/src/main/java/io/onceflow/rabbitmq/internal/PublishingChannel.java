package io.onceflow.rabbitmq.internal;

import com.rabbitmq.client.AlreadyClosedException;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Return;
import com.rabbitmq.client.ShutdownSignalException;
import io.onceflow.outbox.internal.transport.MessageChannel;
import io.onceflow.outbox.internal.transport.OutgoingMessage;
import io.onceflow.outbox.internal.transport.Publisher.Published;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
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

  private final BrokerLink link;
  private final Channel channel;
  private final Confirms confirms;

  private final int maxMessageSize;

  private PublishingChannel(
      BrokerLink link, Channel channel, Confirms confirms, int maxMessageSize) {
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
    channel.addReturnListener(returned -> confirms.returned(idOf(returned), describe(returned)));
    channel.addShutdownListener(cause -> confirms.close());
    return new PublishingChannel(link, channel, confirms, broker.maxMessageSize());
  }

  Confirms confirms() {
    return confirms;
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
  public boolean isOpen() {
    return link.isOpen() && channel.isOpen();
  }

  @Override
  public boolean isBlocked() {
    return link.blocked() != null;
  }

  @Override
  public @Nullable Exception write(List<OutgoingMessage> batch, Duration atMost)
      throws IOException {
    return link.within(atMost, () -> write(batch));
  }

  private @Nullable Exception write(List<OutgoingMessage> batch) throws IOException {
    long sequenceNumber = 0;
    try {
      for (OutgoingMessage outgoing : SendSpans.of(batch)) {
        if (isBlocked()) {
          return null;
        }
        byte[] body = outgoing.body();
        sequenceNumber = channel.getNextPublishSeqNo();
        confirms.expect(sequenceNumber, outgoing.id());
        checkSize(body);
        channel.basicPublish(
            outgoing.exchange(),
            outgoing.routingKey(),
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

  /** The broker would close the channel over it, and cost all that are published with it. */
  private void checkSize(byte[] body) {
    if (body.length > maxMessageSize) {
      throw new IllegalArgumentException(
          "a message of %d bytes is larger than onceflow.broker.max-message-size, %d"
              .formatted(body.length, maxMessageSize));
    }
  }

  /** The broker closes a channel, and nothing but that, over what was published on it. */
  @Nullable Exception closedByMessage() {
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

  private static String describe(Return returned) {
    return "no queue is bound to exchange %s for routing key %s (%d %s)"
        .formatted(
            returned.getExchange(),
            returned.getRoutingKey(),
            returned.getReplyCode(),
            returned.getReplyText());
  }
}
