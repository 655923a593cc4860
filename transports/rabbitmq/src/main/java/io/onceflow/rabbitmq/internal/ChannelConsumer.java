package io.onceflow.rabbitmq.internal;

import com.rabbitmq.client.AMQP.Basic;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import io.onceflow.inbox.internal.consumer.BatchConsumer;
import io.onceflow.inbox.internal.consumer.Delivery;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jboss.logging.Logger;

/** The native client's consumption of a queue, by a connection of its own. */
final class ChannelConsumer extends QueueConsumer {

  private static final Logger LOG = Logger.getLogger(ChannelConsumer.class);
  private static final int CLOSE_TIMEOUT_MS = 1_000;

  private final Channel channel;
  private final DeliveryReader reader;
  private volatile String tag = "";

  private ChannelConsumer(
      Channel channel, String queue, DeliveryReader reader, Duration checkInterval) {
    super(queue, checkInterval);
    this.channel = channel;
    this.reader = reader;
  }

  /** Consumes a queue until it is closed; what came by a connection that has ended is dropped. */
  static ConsumerLoop loop(
      BrokerConnection broker, RabbitQueue queue, int prefetch, int largest, BatchConsumer sink) {
    return loop(
        broker,
        queue,
        prefetch,
        largest,
        DeliveryReader.CHECK_INTERVAL,
        sink::accept,
        sink::dropLost);
  }

  /**
   * @param sink takes each message without blocking
   * @param onEnd run when a connection has ended
   */
  static ConsumerLoop loop(
      BrokerConnection broker,
      RabbitQueue queue,
      int prefetch,
      int largest,
      Duration checkInterval,
      Consumer<Delivery> sink,
      Runnable onEnd) {
    return new ConsumerLoop(
        queue.name(),
        () -> {
          Connection connection = broker.connect("onceflow " + queue.name());
          try {
            Channel channel = connection.createChannel();
            if (channel == null) {
              throw new IOException("the broker allows no channel");
            }
            queue.ensure(channel, broker.topology());
            channel.basicQos(prefetch);
            DeliveryReader reader =
                new DeliveryReader(channel, queue.name(), prefetch, largest, sink);
            ChannelConsumer consumer =
                new ChannelConsumer(channel, queue.name(), reader, checkInterval);
            consumer.begin();
            LOG.infof(
                "receives messages of %s from %s:%s",
                queue.name(), connection.getAddress().getHostName(), connection.getPort());
            return consumer;
          } catch (IOException | RuntimeException e) {
            connection.abort(CLOSE_TIMEOUT_MS);
            throw e;
          }
        },
        broker,
        onEnd);
  }

  private void begin() throws IOException {
    tag =
        channel.basicConsume(
            queue,
            false,
            (consumer, message) ->
                read(message.getEnvelope(), message.getProperties(), message.getBody()),
            consumer -> cancelledByBroker(),
            (consumer, signal) -> end(String.valueOf(signal.getMessage())));
  }

  @Override
  protected DeliveryReader reader() {
    return reader;
  }

  @Override
  protected void stop(Duration atMost) throws IOException {
    try {
      channel
          .asyncCompletableRpc(new Basic.Cancel.Builder().consumerTag(tag).build())
          .get(atMost.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException | TimeoutException e) {
      throw new IOException("the broker did not say that it sends no more", e);
    }
  }

  @Override
  public void close() {
    reader.close();
    channel.getConnection().abort(CLOSE_TIMEOUT_MS);
  }
}
