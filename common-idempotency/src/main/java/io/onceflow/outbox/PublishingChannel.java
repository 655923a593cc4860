package io.onceflow.outbox;

import com.rabbitmq.client.AlreadyClosedException;
import com.rabbitmq.client.BuiltinExchangeType;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Return;
import com.rabbitmq.client.ShutdownSignalException;
import java.io.IOException;
import java.util.List;
import java.util.UUID;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * A channel in confirm mode and the book-keeping of its confirms. It is thrown away whenever
 * anything about it is in doubt: confirms are told apart by counting, and after a publication that
 * failed half-way the client and the broker may count differently.
 */
final class PublishingChannel {

  private static final Logger LOG = Logger.getLogger(PublishingChannel.class);

  private final Channel channel;
  private final Confirms confirms;

  private PublishingChannel(Channel channel, Confirms confirms) {
    this.channel = channel;
    this.confirms = confirms;
  }

  /** Opens one; the confirms have been asked about nothing before. */
  static PublishingChannel open(BrokerConnection broker, Confirms confirms) throws IOException {
    Channel channel = broker.openChannel();
    for (String exchange :
        List.of(OutboxMessage.COMMANDS, OutboxMessage.REPLIES, OutboxMessage.EVENTS)) {
      channel.exchangeDeclare(exchange, BuiltinExchangeType.TOPIC, true);
    }
    channel.confirmSelect();
    channel.addConfirmListener(confirms::acked, confirms::nacked);
    channel.addReturnListener(returned -> confirms.returned(idOf(returned), describe(returned)));
    channel.addShutdownListener(cause -> confirms.close());
    return new PublishingChannel(channel, confirms);
  }

  Confirms confirms() {
    return confirms;
  }

  boolean isOpen() {
    return channel.isOpen();
  }

  /** Writes all, or up to one that the client cannot write, and says what is wrong with that. */
  @Nullable Exception write(List<Parcel> parcels) throws IOException {
    long sequenceNumber = 0;
    try {
      for (Parcel parcel : SendSpans.of(parcels)) {
        sequenceNumber = channel.getNextPublishSeqNo();
        confirms.expect(sequenceNumber, parcel.id());
        channel.basicPublish(
            parcel.exchange(),
            parcel.routingKey(),
            parcel.isAddressed(),
            parcel.properties(),
            parcel.body());
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

  /** The broker closes a channel, and nothing but that, over what was published on it. */
  @Nullable Exception closedByMessage() {
    ShutdownSignalException reason = channel.getCloseReason();
    boolean isOverMessage =
        reason != null && !reason.isHardError() && !reason.isInitiatedByApplication();
    return isOverMessage ? reason : null;
  }

  void close() {
    if (!channel.isOpen()) {
      return;
    }
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
