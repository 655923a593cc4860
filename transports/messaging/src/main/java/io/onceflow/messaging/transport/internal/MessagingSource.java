package io.onceflow.messaging.transport.internal;

import io.onceflow.inbox.internal.consumer.BatchConsumer;
import io.onceflow.inbox.internal.consumer.BatchSettler;
import io.onceflow.inbox.internal.consumer.MessageSource;
import io.onceflow.messaging.settings.internal.RabbitClients;
import io.onceflow.rabbitmq.internal.BrokerConnection;
import io.onceflow.rabbitmq.internal.ConsumerConfig;
import io.onceflow.rabbitmq.internal.ConsumerLoop;
import io.onceflow.rabbitmq.internal.DeadLetters;
import io.onceflow.rabbitmq.internal.RabbitQueue;
import io.onceflow.rabbitmq.internal.RabbitSubscription;
import io.quarkus.arc.properties.IfBuildProperty;
import io.smallrye.reactive.messaging.connector.InboundConnector;
import io.smallrye.reactive.messaging.rabbitmq.RabbitMQConnector;
import jakarta.annotation.Priority;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Alternative;
import java.util.concurrent.atomic.AtomicInteger;
import org.eclipse.microprofile.reactive.messaging.spi.Connector;

/**
 * Takes messages from queues of RabbitMQ by SmallRye's connector, and dead letters, which are few,
 * by the native client.
 */
@ApplicationScoped
@Alternative
@Priority(1)
@IfBuildProperty(name = "onceflow.transport", stringValue = "messaging")
public class MessagingSource implements MessageSource {

  private final InboundConnector connector;
  private final RabbitClients clients;
  private final BrokerConnection broker;
  private final ConsumerConfig config;

  /** The connector closes the connection of a channel when another one gets its name. */
  private final AtomicInteger subscriptions = new AtomicInteger();

  MessagingSource(
      @Connector(RabbitMQConnector.CONNECTOR_NAME) InboundConnector connector,
      RabbitClients clients,
      BrokerConnection broker,
      ConsumerConfig config) {
    this.connector = connector;
    this.clients = clients;
    this.broker = broker;
    this.config = config;
  }

  @Override
  public Subscription subscribe(Queue queue, BatchConsumer consumer, BatchSettler settler) {
    RabbitQueue own = new RabbitQueue(queue.name(), queue.exchange(), queue.routingKeys());
    String channel = "%s-in-%s".formatted(queue.name(), subscriptions.incrementAndGet());
    return new RabbitSubscription(
        new ConsumerLoop(
            own.name(),
            () ->
                ConnectorConsumer.begin(connector, clients, channel, broker, own, config, consumer),
            broker,
            consumer::dropLost),
        new DeadLetters(broker, own, config, settler));
  }
}
