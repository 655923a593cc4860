package io.onceflow.outbox;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.AlreadyClosedException;
import com.rabbitmq.client.BuiltinExchangeType;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Return;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Publishes to RabbitMQ: persistent, mandatory (but for events), confirms pipelined. One channel,
 * opened when needed and thrown away whenever anything about it is in doubt.
 */
final class RabbitPublisher implements Publisher {

  private static final Logger LOG = Logger.getLogger(RabbitPublisher.class);
  private static final int PERSISTENT = 2;

  private final BrokerConnection broker;
  private @Nullable Channel channel;
  private Confirms confirms = new Confirms();

  RabbitPublisher(BrokerConnection broker) {
    this.broker = broker;
  }

  @Override
  public Published publish(List<OutboxMessage> messages, Duration deadline)
      throws IOException, InterruptedException {
    Channel open = channel();
    try {
      for (OutboxMessage message : messages) {
        confirms.expect(open.getNextPublishSeqNo(), message.id());
        open.basicPublish(
            message.exchange(),
            message.routingKey(),
            message.isAddressed(),
            properties(message),
            body(message));
      }
    } catch (AlreadyClosedException e) {
      // What was confirmed before the channel closed is confirmed all the same.
      LOG.debugf("channel closed while publishing: %s", e.getMessage());
    }
    Published published = confirms.await(deadline);
    if (!confirms.isSettled() || !open.isOpen()) {
      close();
    }
    return published;
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
