package io.onceflow.rabbitmq.internal;

import io.onceflow.inbox.internal.consumer.BatchConsumer;
import io.onceflow.inbox.internal.consumer.BatchSettler;
import io.onceflow.inbox.internal.consumer.MessageSource;
import io.quarkus.arc.properties.UnlessBuildProperty;
import jakarta.enterprise.context.ApplicationScoped;

/** Takes messages from queues of RabbitMQ, by one connection for each queue. */
@ApplicationScoped
@UnlessBuildProperty(name = "onceflow.transport", stringValue = "local", enableIfMissing = true)
@UnlessBuildProperty(name = "onceflow.transport", stringValue = "kafka", enableIfMissing = true)
class RabbitSource implements MessageSource {

  private final BrokerConnection broker;
  private final ConsumerConfig config;

  RabbitSource(BrokerConnection broker, ConsumerConfig config) {
    this.broker = broker;
    this.config = config;
  }

  @Override
  public Subscription subscribe(Queue queue, BatchConsumer intake, BatchSettler settler) {
    RabbitQueue own = new RabbitQueue(queue.name(), queue.exchange(), queue.routingKeys());
    return new RabbitSubscription(
        ChannelConsumer.loop(
            broker, own, DeliveryReader.prefetch(config), config.maxMessageSize(), intake),
        new DeadLetters(broker, own, config, settler));
  }
}
