package io.onceflow.rabbitmq.internal;

import com.rabbitmq.client.Connection;
import io.onceflow.inbox.internal.consumer.BatchConsumer;
import io.onceflow.inbox.internal.consumer.Delivery;
import io.onceflow.outbox.internal.transport.OutgoingMessage;
import java.io.IOException;
import java.time.Duration;
import java.util.function.Consumer;
import org.jboss.logging.Logger;

/**
 * Consumes a queue of RabbitMQ with the native client, for as long as it is not closed. It looks
 * for the queue, opens its own connection, and hands messages on in their order as they come; packs
 * are opened.
 */
public final class RabbitConsumer extends ConsumerLoop {

  private static final Logger LOG = Logger.getLogger(RabbitConsumer.class);

  /** Messages that wait are sent within milliseconds; asking costs the broker next to nothing. */
  public static final Duration CHECK_INTERVAL = Duration.ofSeconds(15);

  /**
   * @param broker opens the consumer's connection; the shared one is not used
   * @param consumer takes each message; what came by a connection that has ended is dropped there
   */
  RabbitConsumer(
      BrokerConnection broker, RabbitQueue queue, ConsumerConfig config, BatchConsumer consumer) {
    this(broker, queue, config, consumer::accept, consumer::dropLost);
  }

  /**
   * @param sink takes each message without blocking
   * @param onEnd run when a connection has ended
   */
  RabbitConsumer(
      BrokerConnection broker,
      RabbitQueue queue,
      ConsumerConfig config,
      Consumer<Delivery> sink,
      Runnable onEnd) {
    this(broker, queue, config, CHECK_INTERVAL, sink, onEnd);
  }

  RabbitConsumer(
      BrokerConnection broker,
      RabbitQueue queue,
      ConsumerConfig config,
      Duration checkInterval,
      Consumer<Delivery> sink,
      Runnable onEnd) {
    super(queue.name(), () -> open(broker, queue, config, checkInterval, sink), broker, onEnd);
  }

  /** No more than there is memory for, if each is as large as is allowed. */
  public static int prefetch(ConsumerConfig config) {
    int largest = Math.max(OutgoingMessage.LARGEST_PACK_BYTES, config.maxMessageSize());
    long fits = config.memory() / largest;
    return Math.clamp(fits, 1, config.prefetch());
  }

  private static Consumption open(
      BrokerConnection broker,
      RabbitQueue queue,
      ConsumerConfig config,
      Duration checkInterval,
      Consumer<Delivery> sink)
      throws IOException {
    Connection connection = broker.connect("onceflow " + queue.name());
    try {
      Consumption now =
          ChannelConsumer.begin(connection, queue, broker.topology(), config, checkInterval, sink);
      LOG.infof(
          "messages of %s come in from %s:%s",
          queue.name(), connection.getAddress().getHostName(), connection.getPort());
      return now;
    } catch (IOException | RuntimeException e) {
      connection.abort(ChannelConsumer.CLOSE_TIMEOUT_MS);
      throw e;
    }
  }
}
