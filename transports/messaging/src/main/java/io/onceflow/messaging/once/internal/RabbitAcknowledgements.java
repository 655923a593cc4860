package io.onceflow.messaging.once.internal;

import com.rabbitmq.client.Channel;
import io.onceflow.messaging.settings.internal.RabbitClients;
import io.smallrye.reactive.messaging.rabbitmq.IncomingRabbitMQMessage;
import io.vertx.rabbitmq.RabbitMQMessage;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;
import org.eclipse.microprofile.reactive.messaging.Message;
import org.jspecify.annotations.Nullable;

/**
 * Acknowledges a message on the AMQP channel that it came by, which is known by the tag of its
 * consumer. The connector would acknowledge it on the channel that is open by then: after a
 * reconnect the same delivery tag means another message there, which may not be settled.
 */
@Singleton
class RabbitAcknowledgements implements Acknowledgement.Source {

  private final RabbitClients clients;

  RabbitAcknowledgements(RabbitClients clients) {
    this.clients = clients;
  }

  @Override
  public Optional<Acknowledgement> of(String channel, Message<?> message) {
    if (!(message instanceof IncomingRabbitMQMessage<?> rabbit)) {
      return Optional.empty();
    }
    RabbitMQMessage received = rabbit.message;
    return Optional.of(
        new OnItsChannel(
            clients.of(channel).channelOf(received.consumerTag()),
            received.envelope().getDeliveryTag()));
  }

  /**
   * A channel that has closed is never acknowledged on: its messages come again.
   *
   * @param channel null for one that has closed before its message was passed
   */
  private record OnItsChannel(@Nullable Channel channel, long tag) implements Acknowledgement {

    @Override
    public void send() {
      try {
        if (channel != null) {
          channel.basicAck(tag, false);
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    @Override
    public boolean isLost() {
      return channel == null || !channel.isOpen();
    }
  }
}
