package io.onceflow.messaging.once.internal;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.NoOpMetricsCollector;
import io.onceflow.messaging.settings.internal.ChannelNames;
import io.smallrye.reactive.messaging.ClientCustomizer;
import io.smallrye.reactive.messaging.rabbitmq.IncomingRabbitMQMessage;
import io.vertx.rabbitmq.RabbitMQMessage;
import io.vertx.rabbitmq.RabbitMQOptions;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.eclipse.microprofile.config.Config;
import org.eclipse.microprofile.config.ConfigProvider;
import org.eclipse.microprofile.reactive.messaging.Message;
import org.jspecify.annotations.Nullable;

/**
 * Acknowledges a message on the AMQP channel that it came by. The connector would acknowledge it on
 * the channel that is open by then: after a reconnect the same delivery tag means another message
 * there, which may not be settled. The connector does not show its channels, so they are learned
 * from its client's metrics, each by the tag of its consumer.
 */
@Singleton
class RabbitAcknowledgements implements Acknowledgement.Source, ClientCustomizer<RabbitMQOptions> {

  private final Map<Consumer, Channel> amqpChannels = new ConcurrentHashMap<>();

  /** A broker's tags are unique within a connection at least, and each channel has its own one. */
  private record Consumer(String channel, String tag) {}

  @Override
  public @Nullable RabbitMQOptions customize(
      String channel, Config channelConfig, RabbitMQOptions options) {
    return isOurs(channel) ? options.setMetricsCollector(new Consumers(channel)) : null;
  }

  private static boolean isOurs(String channel) {
    return ChannelNames.INCOMING
        .channels(
            name -> ConfigProvider.getConfig().getOptionalValue(name, String.class).orElse(null))
        .contains(channel);
  }

  @Override
  public Optional<Acknowledgement> of(String channel, Message<?> message) {
    if (!(message instanceof IncomingRabbitMQMessage<?> rabbit)) {
      return Optional.empty();
    }
    RabbitMQMessage received = rabbit.message;
    return Optional.of(
        new OnItsChannel(
            amqpChannels.get(new Consumer(channel, received.consumerTag())),
            received.envelope().getDeliveryTag()));
  }

  /**
   * A channel that has closed is never acknowledged on: its messages come again.
   *
   * @param channel null for one that has closed before its message was handed over
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

  private final class Consumers extends NoOpMetricsCollector {

    private final String name;

    private Consumers(String name) {
      this.name = name;
    }

    /** Called with the broker's answer to the subscription, before the first message is read. */
    @Override
    public void basicConsume(Channel channel, String consumerTag, boolean autoAck) {
      Consumer consumer = new Consumer(name, consumerTag);
      amqpChannels.put(consumer, channel);
      channel.addShutdownListener(cause -> amqpChannels.remove(consumer, channel));
    }
  }
}
