package io.onceflow.messaging.transport.internal;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import io.onceflow.inbox.internal.consumer.BatchConsumer;
import io.onceflow.messaging.settings.internal.RabbitClients;
import io.onceflow.messaging.settings.internal.RabbitClients.RabbitClient;
import io.onceflow.rabbitmq.internal.BrokerConnection;
import io.onceflow.rabbitmq.internal.ConsumerConfig;
import io.onceflow.rabbitmq.internal.DeliveryReader;
import io.onceflow.rabbitmq.internal.QueueConsumer;
import io.onceflow.rabbitmq.internal.RabbitQueue;
import io.smallrye.reactive.messaging.connector.InboundConnector;
import io.smallrye.reactive.messaging.rabbitmq.IncomingRabbitMQMessage;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicReference;
import org.eclipse.microprofile.config.Config;
import org.eclipse.microprofile.reactive.messaging.Message;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * One stream of the connector, until it ends or its channel closes. What it brings is acknowledged
 * on the channel that it came by: the connector would acknowledge one by one, on the channel that
 * is open by then.
 */
final class ConnectorConsumer extends QueueConsumer implements Flow.Subscriber<Message<?>> {

  private static final Logger LOG = Logger.getLogger(ConnectorConsumer.class);

  private static final int CLOSE_TIMEOUT_MS = 1_000;

  private final ConsumerConfig config;
  private final BatchConsumer sink;
  private final RabbitClient client;
  private final AtomicReference<Flow.@Nullable Subscription> stream = new AtomicReference<>();
  private @Nullable DeliveryReader reader;

  private ConnectorConsumer(
      String queue, ConsumerConfig config, BatchConsumer sink, RabbitClient client) {
    super(queue, DeliveryReader.CHECK_INTERVAL);
    this.config = config;
    this.sink = sink;
    this.client = client;
    client.onLoss(this::end);
  }

  /**
   * Looks for the queue and subscribes.
   *
   * @param name of the channel
   * @throws IOException when the broker is unavailable, refuses, or lacks the queue
   */
  static ConnectorConsumer begin(
      InboundConnector connector,
      RabbitClients clients,
      String name,
      BrokerConnection broker,
      RabbitQueue queue,
      ConsumerConfig config,
      BatchConsumer sink)
      throws IOException {
    ensure(broker, queue);
    ConnectorConsumer consumer =
        new ConnectorConsumer(queue.name(), config, sink, clients.watch(name));
    publisher(connector, ChannelSettings.incoming(name, queue, DeliveryReader.prefetch(config)))
        .subscribe(consumer);
    LOG.infof("receives messages of %s by the connector", queue.name());
    return consumer;
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
    io.vertx.rabbitmq.RabbitMQMessage received = ((IncomingRabbitMQMessage<?>) message).message;
    read(received.envelope(), (BasicProperties) received.properties(), received.body().getBytes());
  }

  @Override
  public void onError(Throwable failure) {
    end(failure.toString());
  }

  @Override
  public void onComplete() {
    cancelledByBroker();
  }

  /** Of the first channel; when the connector has opened another one, this has ended. */
  @Override
  protected synchronized @Nullable DeliveryReader reader() {
    Channel channel = client.channel();
    if (reader == null && channel != null) {
      int prefetch = DeliveryReader.prefetch(config);
      reader = new DeliveryReader(channel, queue, prefetch, config.maxMessageSize(), sink::accept);
    }
    return reader;
  }

  /** The connection stays open for acknowledgements. */
  @Override
  protected void stop(Duration atMost) {
    Flow.Subscription subscribed = stream.get();
    Channel open = client.channel();
    if (subscribed != null && (open == null || open.isOpen())) {
      subscribed.cancel();
    }
  }

  @Override
  public void close() {
    stop(Duration.ZERO);
    DeliveryReader last = reader();
    if (last != null) {
      last.close();
    }
    client.abort(CLOSE_TIMEOUT_MS);
  }
}
