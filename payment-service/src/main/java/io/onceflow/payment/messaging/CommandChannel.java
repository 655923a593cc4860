package io.onceflow.payment.messaging;

import com.rabbitmq.client.AlreadyClosedException;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.NoOpMetricsCollector;
import io.smallrye.reactive.messaging.ClientCustomizer;
import io.vertx.rabbitmq.RabbitMQOptions;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.util.Objects;
import org.eclipse.microprofile.config.Config;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * The channel on which the connector consumes. A message is acknowledged on the very channel that
 * it came by, or not at all: the connector itself acknowledges on whatever channel is open by then,
 * where after a reconnect the same delivery tag means nothing, which closes that channel, or means
 * another message, which may not have been settled yet (rule 2). The connector shows its channel to
 * nobody, but the native client tells it to its collector of metrics.
 */
@Singleton
class CommandChannel implements ClientCustomizer<RabbitMQOptions> {

  private static final Logger LOG = Logger.getLogger(CommandChannel.class);

  private volatile @Nullable Channel consuming;

  @Override
  public RabbitMQOptions customize(String channel, Config config, RabbitMQOptions options) {
    return options.setMetricsCollector(new Watch());
  }

  /** True while commands can come in. */
  boolean isOpen() {
    Channel open = consuming;
    return open != null && open.isOpen();
  }

  /** How to acknowledge a message that has just come in. */
  Runnable acknowledgement(long deliveryTag) {
    Channel source = Objects.requireNonNull(consuming, "a message came before its consumer");
    return () -> acknowledge(source, deliveryTag);
  }

  /** A broker that has gone cannot be told; it sends the message again, and the inbox knows it. */
  private static void acknowledge(Channel source, long deliveryTag) {
    try {
      source.basicAck(deliveryTag, false);
    } catch (IOException | AlreadyClosedException e) {
      LOG.debugf("not acknowledged, so it will come again: %s", e.getMessage());
    }
  }

  /**
   * A new consumer is reported before its first message, and begins only when every message of the
   * one before it has been handed over.
   */
  private final class Watch extends NoOpMetricsCollector {

    @Override
    public void basicConsume(Channel channel, String consumerTag, boolean autoAck) {
      consuming = channel;
      LOG.infof("commands come in from %s", describe(channel.getConnection()));
      channel.addShutdownListener(
          cause -> {
            if (!cause.isInitiatedByApplication()) {
              LOG.warnf("the broker has gone: %s; commands wait there", cause.getMessage());
            }
          });
    }

    private static String describe(Connection connection) {
      return connection.getAddress().getHostName() + ":" + connection.getPort();
    }
  }
}
