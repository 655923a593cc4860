package io.onceflow.rabbitmq.internal;

import com.rabbitmq.client.AMQP.Basic;
import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.DefaultConsumer;
import com.rabbitmq.client.Envelope;
import com.rabbitmq.client.ShutdownSignalException;
import io.onceflow.inbox.internal.consumer.Delivery;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/**
 * One channel's time of consuming, from its beginning until the channel closes or the broker
 * cancels it. It is never taken up again; another one follows.
 */
final class ChannelConsumer extends DefaultConsumer implements ConsumerLoop.Consumption {

  static final int CLOSE_TIMEOUT_MS = 1_000;

  private final String queue;
  private final DeliveryReader reader;
  private final Duration checkInterval;
  private final CompletableFuture<String> end = new CompletableFuture<>();
  private volatile boolean cancelled;

  private ChannelConsumer(
      Channel channel, String queue, DeliveryReader reader, Duration checkInterval) {
    super(channel);
    this.queue = queue;
    this.reader = reader;
    this.checkInterval = checkInterval;
  }

  /** Looks for the queue and begins to consume it. */
  static ChannelConsumer begin(
      Connection connection,
      RabbitQueue queue,
      BrokerTopology topology,
      ConsumerConfig config,
      Duration checkInterval,
      Consumer<Delivery> sink)
      throws IOException {
    Channel channel = connection.createChannel();
    if (channel == null) {
      throw new IOException("the broker allows no channel");
    }
    queue.ensure(channel, topology);
    int prefetch = RabbitConsumer.prefetch(config);
    channel.basicQos(prefetch);
    ChannelConsumer consumption =
        new ChannelConsumer(
            channel,
            queue.name(),
            new DeliveryReader(
                channel, queue.name(), config.maxMessageSize(), mostHeld(prefetch), sink),
            checkInterval);
    channel.basicConsume(queue.name(), false, consumption);
    return consumption;
  }

  /** As many come in meanwhile, whatever the calls are like that these wait for. */
  private static int mostHeld(int prefetch) {
    return prefetch / 2;
  }

  @Override
  public boolean isOpen() {
    return !end.isDone();
  }

  /**
   * Has the broker send no more, and waits a moment for its word. What was sent is still here to be
   * acknowledged.
   */
  @Override
  public void cancel(Duration atMost) throws IOException {
    cancelled = true;
    try {
      getChannel()
          .asyncCompletableRpc(new Basic.Cancel.Builder().consumerTag(getConsumerTag()).build())
          .get(atMost.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException | TimeoutException e) {
      throw new IOException("the broker did not say that it sends no more", e);
    }
  }

  @Override
  public String awaitEnd() throws InterruptedException {
    while (true) {
      try {
        return end.get(checkInterval.toMillis(), TimeUnit.MILLISECONDS);
      } catch (TimeoutException e) {
        if (!cancelled) {
          reader.starved(checkInterval).ifPresent(end::complete);
        }
      } catch (ExecutionException e) {
        throw new IllegalStateException("it never ends in failure", e);
      }
    }
  }

  @Override
  public void close() {
    reader.close();
    getChannel().getConnection().abort(CLOSE_TIMEOUT_MS);
  }

  /** On the client's thread, one after the other, in the order of the queue. */
  @Override
  public void handleDelivery(
      String consumerTag, Envelope envelope, BasicProperties properties, byte[] body) {
    if (end.isDone()) {
      return;
    }
    try {
      reader.read(envelope, properties, body);
    } catch (DeliveryReader.DeliveriesMissing e) {
      end.complete(e.getMessage());
    }
  }

  /** The queue was deleted, or the node that served it is gone. */
  @Override
  public void handleCancel(String consumerTag) {
    end.complete("the broker cancelled the consumer of " + queue + ", as when a queue is deleted");
  }

  @Override
  public void handleShutdownSignal(String consumerTag, ShutdownSignalException signal) {
    end.complete(String.valueOf(signal.getMessage()));
  }
}
