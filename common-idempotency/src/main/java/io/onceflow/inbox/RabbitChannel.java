package io.onceflow.inbox;

import com.rabbitmq.client.AlreadyClosedException;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.NoOpMetricsCollector;
import io.smallrye.mutiny.infrastructure.Infrastructure;
import io.smallrye.reactive.messaging.ClientCustomizer;
import io.smallrye.reactive.messaging.rabbitmq.IncomingRabbitMQMessage;
import io.vertx.rabbitmq.RabbitMQOptions;
import java.io.IOException;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.eclipse.microprofile.config.Config;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * The channel on which the connector consumes. A message is acknowledged on the very channel that
 * it came by, or not at all: the connector itself acknowledges on whatever channel is open by then,
 * where after a reconnect the same delivery tag means nothing, which closes that channel, or means
 * another message, which may not have been settled yet (rule 2). The connector shows its channel to
 * nobody, but the native client tells it to its collector of metrics.
 *
 * <p>A service that consumes through the SmallRye RabbitMQ connector has one bean of this, for its
 * one incoming channel:
 *
 * <pre>{@code
 * @Singleton
 * class CommandChannel extends RabbitChannel {}
 *
 * @Incoming("commands")
 * @Acknowledgment(Acknowledgment.Strategy.MANUAL)
 * CompletionStage<Void> receive(IncomingRabbitMQMessage<byte[]> message) {
 *   intake.accept(channel.delivery("payment-service.commands", message));
 *   return CompletableFuture.completedFuture(null);
 * }
 * }</pre>
 */
public abstract class RabbitChannel implements ClientCustomizer<RabbitMQOptions> {

  private static final Logger LOG = Logger.getLogger(RabbitChannel.class);

  /** What came by the old channel, what comes by the new one, and as much again to be sure. */
  private static final int PREFETCHES_BUFFERED = 4;

  private volatile @Nullable Channel consuming;

  @Override
  public RabbitMQOptions customize(String channel, Config config, RabbitMQOptions options) {
    config.getOptionalValue("max-outstanding-messages", Integer.class).ifPresent(this::makeRoom);
    return options.setMetricsCollector(new Watch());
  }

  /**
   * After a reconnect the connector's client hands messages on without being asked for them. Where
   * they change threads they must all find room: the stream ends for good when one does not ("Queue
   * is full, the upstream didn't enforce the requests"), and nothing comes in any more. That room
   * is Mutiny's buffer, 256 unless it is made larger before the stream is.
   */
  private void makeRoom(int prefetch) {
    int room = PREFETCHES_BUFFERED * prefetch;
    Infrastructure.setBufferSizeS(Math.max(Infrastructure.getBufferSizeS(), room));
  }

  /** True while messages can come in. */
  public final boolean isOpen() {
    Channel open = consuming;
    return open != null && open.isOpen();
  }

  /**
   * Wraps a message that has just come in.
   *
   * @param queue where it came from
   * @param message as the connector hands it over, its bytes untouched
   */
  public final Delivery delivery(String queue, IncomingRabbitMQMessage<byte[]> message) {
    Channel source = Objects.requireNonNull(consuming, "a message came before its consumer");
    long tag = message.message.envelope().getDeliveryTag();
    return new Delivery(
        queue,
        message.getMessageId().orElse(null),
        message.getType().orElse(null),
        message.getCorrelationId().orElse(null),
        message.getReplyTo().orElse(null),
        text(message.getHeaders()),
        message.getPayload(),
        () -> acknowledge(source, tag));
  }

  private static Map<String, String> text(Map<String, Object> headers) {
    return headers.entrySet().stream()
        .filter(header -> header.getValue() != null)
        .collect(Collectors.toMap(Map.Entry::getKey, header -> header.getValue().toString()));
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
      LOG.infof("messages come in from %s", describe(channel.getConnection()));
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
