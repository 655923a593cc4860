package io.onceflow.messaging.transport.internal;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import io.onceflow.inbox.internal.consumer.BatchConsumer;
import io.onceflow.rabbitmq.internal.BrokerConnection;
import io.onceflow.rabbitmq.internal.ConsumerConfig;
import io.onceflow.rabbitmq.internal.ConsumerLoop;
import io.onceflow.rabbitmq.internal.DeliveryReader;
import io.onceflow.rabbitmq.internal.RabbitConsumer;
import io.onceflow.rabbitmq.internal.RabbitQueue;
import io.smallrye.reactive.messaging.connector.InboundConnector;
import io.smallrye.reactive.messaging.rabbitmq.IncomingRabbitMQMessage;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import org.eclipse.microprofile.config.Config;
import org.eclipse.microprofile.reactive.messaging.Message;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * One stream of the connector, from its beginning until it ends or its channel closes. It is never
 * taken up again; another one follows. What it brings is acknowledged on the channel that it came
 * by: the connector would acknowledge one by one, on the channel that is open by then.
 */
final class ConnectorConsumption implements ConsumerLoop.Consumption, Flow.Subscriber<Message<?>> {

  private static final Logger LOG = Logger.getLogger(ConnectorConsumption.class);

  private static final int CLOSE_TIMEOUT_MS = 1_000;

  private final RabbitQueue queue;
  private final ConsumerConfig config;
  private final BatchConsumer sink;
  private final CompletableFuture<String> end = new CompletableFuture<>();
  private final ConnectorClient client = new ConnectorClient(end::complete);
  private final AtomicReference<Flow.@Nullable Subscription> stream = new AtomicReference<>();
  private @Nullable Channel channel;
  private @Nullable DeliveryReader reader;
  private volatile boolean cancelled;

  private ConnectorConsumption(RabbitQueue queue, ConsumerConfig config, BatchConsumer sink) {
    this.queue = queue;
    this.config = config;
    this.sink = sink;
  }

  /**
   * Looks for the queue and subscribes.
   *
   * @param name of the channel
   * @throws IOException when the broker is away, refuses, or lacks the queue
   */
  static ConnectorConsumption begin(
      InboundConnector connector,
      ConnectorClients clients,
      String name,
      BrokerConnection broker,
      RabbitQueue queue,
      ConsumerConfig config,
      BatchConsumer sink)
      throws IOException {
    ensure(broker, queue);
    ConnectorConsumption consumption = new ConnectorConsumption(queue, config, sink);
    clients.watch(name, consumption.client);
    publisher(connector, ChannelSettings.incoming(name, queue, RabbitConsumer.prefetch(config)))
        .subscribe(consumption);
    LOG.infof("messages of %s come in by the connector", queue.name());
    return consumption;
  }

  /** By the native client, as the administrator's topology is the same for both. */
  private static void ensure(BrokerConnection broker, RabbitQueue queue) throws IOException {
    Channel looking = broker.openChannel();
    try {
      queue.ensure(looking, broker.topology());
    } finally {
      looking.abort();
    }
  }

  /** The connector brings any message. */
  @SuppressWarnings("unchecked")
  private static Flow.Publisher<Message<?>> publisher(InboundConnector connector, Config settings) {
    return (Flow.Publisher<Message<?>>) connector.getPublisher(settings);
  }

  /** The prefetch bounds what is sent ahead. */
  @Override
  public void onSubscribe(Flow.Subscription subscription) {
    stream.set(subscription);
    subscription.request(Long.MAX_VALUE);
  }

  @Override
  public void onNext(Message<?> message) {
    if (end.isDone()) {
      return;
    }
    io.vertx.rabbitmq.RabbitMQMessage received = ((IncomingRabbitMQMessage<?>) message).message;
    try {
      reader()
          .read(
              received.envelope(),
              (BasicProperties) received.properties(),
              received.body().getBytes());
    } catch (DeliveryReader.DeliveriesMissing e) {
      end.complete(e.getMessage());
    }
  }

  private synchronized DeliveryReader reader() {
    Channel now = client.channel();
    if (reader == null || now == null) {
      channel = now;
      reader = new DeliveryReader(now, queue.name(), config.maxMessageSize(), 0, sink::accept);
    } else if (now != channel) {
      throw new IllegalStateException("the connector has changed the channel of " + queue.name());
    }
    return reader;
  }

  @Override
  public void onError(Throwable failure) {
    end.complete(failure.toString());
  }

  @Override
  public void onComplete() {
    end.complete(
        "the broker cancelled the consumer of %s, as when a queue is deleted"
            .formatted(queue.name()));
  }

  @Override
  public boolean isOpen() {
    return !end.isDone() && client.channel() != null;
  }

  /** The connection stays open for acknowledgements. */
  @Override
  public void cancel(Duration atMost) {
    cancelled = true;
    Flow.Subscription subscribed = stream.get();
    Channel open = client.channel();
    if (subscribed != null && (open == null || open.isOpen())) {
      subscribed.cancel();
    }
  }

  @Override
  public String awaitEnd() throws InterruptedException {
    while (true) {
      try {
        return end.get(RabbitConsumer.CHECK_INTERVAL.toMillis(), TimeUnit.MILLISECONDS);
      } catch (TimeoutException e) {
        if (!cancelled && client.channel() != null) {
          reader().starved(RabbitConsumer.CHECK_INTERVAL).ifPresent(end::complete);
        }
      } catch (ExecutionException e) {
        throw new IllegalStateException("it never ends in failure", e);
      }
    }
  }

  @Override
  public void close() {
    cancel(Duration.ZERO);
    drop();
    client.abort(CLOSE_TIMEOUT_MS);
  }

  private synchronized void drop() {
    if (reader != null) {
      reader.close();
    }
  }
}
