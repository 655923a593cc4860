package io.onceflow.rabbitmq.internal;

import com.rabbitmq.client.AMQP.Basic;
import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.DefaultConsumer;
import com.rabbitmq.client.Envelope;
import com.rabbitmq.client.ShutdownSignalException;
import io.onceflow.inbox.internal.consumer.Delivery;
import io.onceflow.outbox.internal.transport.MalformedBundle;
import io.onceflow.outbox.internal.transport.MessageBundle;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * One channel's time of consuming, from its beginning until the channel closes or the broker
 * cancels it. It is never taken up again; another one follows.
 */
final class ChannelConsumer extends DefaultConsumer {

  private final String queue;
  private final Acknowledgements acknowledgements;
  private final int largest;
  private final Consumer<Delivery> sink;
  private final CompletableFuture<String> end = new CompletableFuture<>();

  private ChannelConsumer(Channel channel, String queue, int largest, Consumer<Delivery> sink) {
    super(channel);
    this.queue = queue;
    this.largest = largest;
    this.acknowledgements = new Acknowledgements(channel);
    this.sink = sink;
  }

  /** Looks for the queue and begins to consume it. */
  static ChannelConsumer begin(
      Connection connection,
      RabbitQueue queue,
      BrokerTopology topology,
      ConsumerConfig config,
      Consumer<Delivery> sink)
      throws IOException {
    Channel channel = connection.createChannel();
    if (channel == null) {
      throw new IOException("the broker allows no channel");
    }
    queue.ensure(channel, topology);
    channel.basicQos(prefetch(config));
    ChannelConsumer consumption =
        new ChannelConsumer(channel, queue.name(), config.maxMessageSize(), sink);
    channel.basicConsume(queue.name(), false, consumption);
    return consumption;
  }

  /** No more than there is memory for, if each is as large as is allowed. */
  static int prefetch(ConsumerConfig config) {
    long fits = config.memory() / Math.max(1, config.maxMessageSize());
    return Math.clamp(fits, 1, config.prefetch());
  }

  boolean isOpen() {
    return !end.isDone();
  }

  /**
   * Has the broker send no more, and waits a moment for its word. What was sent is still here to be
   * acknowledged.
   */
  void cancel(Duration atMost) throws IOException {
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

  /** Waits until nothing comes in any more and says why. */
  String awaitEnd() throws InterruptedException {
    try {
      return end.get();
    } catch (ExecutionException e) {
      throw new IllegalStateException("it never ends in failure", e);
    }
  }

  /** On the client's thread, one after the other, in the order of the queue. */
  @Override
  public void handleDelivery(
      String consumerTag, Envelope envelope, BasicProperties properties, byte[] body) {
    if (body.length > largest) {
      sink.accept(whole(envelope, properties, body, null).truncated(largest));
      return;
    }
    if (!MessageBundle.isPack(properties.getContentType())) {
      sink.accept(whole(envelope, properties, body, null));
      return;
    }
    try {
      unpack(envelope, MessageBundle.decode(body), DeadLetters.history(properties.getHeaders()));
    } catch (MalformedBundle e) {
      sink.accept(whole(envelope, properties, body, e.getMessage()));
    }
  }

  /** The routing key is the pack's: only that one was checked by the broker. */
  private void unpack(
      Envelope envelope, List<MessageBundle.Packed> messages, Map<String, String> history) {
    List<Delivery.Receipt> receipts =
        acknowledgements.arrived(envelope.getDeliveryTag(), messages.size());
    for (int i = 0; i < messages.size(); i++) {
      MessageBundle.Packed one = messages.get(i);
      sink.accept(
          new Delivery(
              queue,
              one.messageId(),
              one.type(),
              one.correlationId(),
              one.replyTo(),
              history.isEmpty() ? one.headers() : DeadLetters.join(one.headers(), history),
              one.payload(),
              receipts.get(i),
              null,
              envelope.getRoutingKey()));
    }
  }

  private Delivery whole(
      Envelope envelope, BasicProperties properties, byte[] body, @Nullable String fault) {
    return new Delivery(
        queue,
        properties.getMessageId(),
        properties.getType(),
        properties.getCorrelationId(),
        properties.getReplyTo(),
        text(properties.getHeaders()),
        body,
        acknowledgements.arrived(envelope.getDeliveryTag(), 1).getFirst(),
        fault,
        envelope.getRoutingKey());
  }

  private static Map<String, String> text(@Nullable Map<String, Object> headers) {
    if (headers == null) {
      return Map.of();
    }
    return headers.entrySet().stream()
        .filter(header -> header.getValue() != null)
        .collect(Collectors.toMap(Map.Entry::getKey, header -> header.getValue().toString()));
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
