package io.onceflow.outbox;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.AlreadyClosedException;
import com.rabbitmq.client.BuiltinExchangeType;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Return;
import com.rabbitmq.client.ShutdownSignalException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Publishes to RabbitMQ: persistent, mandatory (but for events), confirms pipelined. One channel,
 * opened when needed and thrown away whenever anything about it is in doubt: confirms are told
 * apart by counting, and after a publication that failed half-way the client and the broker may
 * count differently.
 */
final class RabbitPublisher implements Publisher {

  private static final Logger LOG = Logger.getLogger(RabbitPublisher.class);
  private static final int PERSISTENT = 2;

  private final BrokerConnection broker;
  private @Nullable Channel channel;
  private Confirms confirms = new Confirms();

  /**
   * What came of publishing some messages together.
   *
   * @param published what is known of them
   * @param spoiledBy what one of them did to the channel, or null
   */
  private record Attempt(Published published, @Nullable Exception spoiledBy) {}

  RabbitPublisher(BrokerConnection broker) {
    this.broker = broker;
  }

  /**
   * All together; but when one of them makes the broker close the channel, or cannot be written at
   * all, the ones in doubt are sent each alone, so that it holds up nobody but itself.
   */
  @Override
  public Published publish(List<OutboxMessage> messages, Duration deadline)
      throws IOException, InterruptedException {
    long giveUpAt = System.nanoTime() + deadline.toNanos();
    Attempt together = attempt(messages, giveUpAt);
    if (together.spoiledBy() == null) {
      return together.published();
    }
    LOG.debugf(together.spoiledBy(), "a batch of %d was spoiled", messages.size());
    Set<UUID> confirmed = new HashSet<>(together.published().confirmed());
    Map<UUID, String> refused = new HashMap<>(together.published().refused());
    for (OutboxMessage message : messages) {
      boolean isKnown = confirmed.contains(message.id()) || refused.containsKey(message.id());
      if (!isKnown && System.nanoTime() < giveUpAt) {
        Attempt alone = attempt(List.of(message), giveUpAt);
        confirmed.addAll(alone.published().confirmed());
        refused.putAll(alone.published().refused());
        if (alone.spoiledBy() != null && !confirmed.contains(message.id())) {
          refused.put(message.id(), alone.spoiledBy().toString());
        }
      }
    }
    return new Published(confirmed, refused);
  }

  @Override
  public void close() {
    Channel open = channel;
    channel = null;
    if (open == null || !open.isOpen()) {
      return;
    }
    try {
      open.abort();
    } catch (IOException e) {
      LOG.debugf("channel did not close cleanly: %s", e.getMessage());
    }
  }

  private Attempt attempt(List<OutboxMessage> messages, long giveUpAt)
      throws IOException, InterruptedException {
    Channel open = channel();
    boolean isSound = false;
    try {
      Exception unwritable = write(open, messages);
      Published published = confirms.await(Duration.ofNanos(giveUpAt - System.nanoTime()));
      isSound = unwritable == null && confirms.isSettled() && open.isOpen();
      return new Attempt(published, unwritable != null ? unwritable : closedByMessage(open));
    } finally {
      if (!isSound) {
        close();
      }
    }
  }

  /** Writes all, or up to one that the client cannot write, and says what is wrong with that. */
  private @Nullable Exception write(Channel open, List<OutboxMessage> messages) throws IOException {
    long sequenceNumber = 0;
    try {
      for (OutboxMessage message : messages) {
        sequenceNumber = open.getNextPublishSeqNo();
        confirms.expect(sequenceNumber, message.id());
        open.basicPublish(
            message.exchange(),
            message.routingKey(),
            message.isAddressed(),
            properties(message),
            body(message));
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
  private static @Nullable Exception closedByMessage(Channel channel) {
    ShutdownSignalException reason = channel.getCloseReason();
    boolean isOverMessage =
        reason != null && !reason.isHardError() && !reason.isInitiatedByApplication();
    return isOverMessage ? reason : null;
  }

  private Channel channel() throws IOException {
    Channel open = channel;
    if (open == null || !open.isOpen()) {
      open = open(new Confirms());
      channel = open;
    }
    return open;
  }

  private Channel open(Confirms fresh) throws IOException {
    Channel open = broker.openChannel();
    for (String exchange :
        List.of(OutboxMessage.COMMANDS, OutboxMessage.REPLIES, OutboxMessage.EVENTS)) {
      open.exchangeDeclare(exchange, BuiltinExchangeType.TOPIC, true);
    }
    open.confirmSelect();
    open.addConfirmListener(fresh::acked, fresh::nacked);
    open.addReturnListener(returned -> fresh.returned(idOf(returned), describe(returned)));
    open.addShutdownListener(cause -> fresh.close());
    confirms = fresh;
    return open;
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

  private static byte[] body(OutboxMessage message) {
    return message.payload().getBytes(StandardCharsets.UTF_8);
  }

  private static BasicProperties properties(OutboxMessage message) {
    return new BasicProperties.Builder()
        .messageId(message.id().toString())
        .type(message.type())
        .contentType("application/json")
        .deliveryMode(PERSISTENT)
        .correlationId(message.correlationId())
        .replyTo(message.replyTo())
        .headers(Map.copyOf(message.headers()))
        .build();
  }
}
