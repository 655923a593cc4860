package io.onceflow.rabbitmq.internal;

import com.rabbitmq.client.AMQP.Queue.DeclareOk;
import com.rabbitmq.client.Channel;
import io.onceflow.inbox.internal.consumer.BatchConsumer;
import io.onceflow.inbox.internal.consumer.BatchSettler;
import io.onceflow.inbox.internal.consumer.MessageSource;
import io.onceflow.inbox.internal.consumer.QueueDepths;
import io.quarkus.arc.properties.UnlessBuildProperty;
import jakarta.enterprise.context.ApplicationScoped;
import java.io.IOException;

/** Takes messages from queues of RabbitMQ, by one connection for each queue, and counts them. */
@ApplicationScoped
@UnlessBuildProperty(name = "onceflow.transport", stringValue = "local", enableIfMissing = true)
@UnlessBuildProperty(name = "onceflow.transport", stringValue = "kafka", enableIfMissing = true)
class RabbitSource implements MessageSource, QueueDepths {

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

  /**
   * By declaring the queue passively, which changes nothing; on a channel for this alone, since the
   * broker closes it if there is no such queue.
   */
  @Override
  public Depth of(String queue) throws IOException {
    Channel channel = broker.openChannel();
    try {
      DeclareOk found = channel.queueDeclarePassive(queue);
      return new Depth(
          found.getMessageCount(),
          found.getConsumerCount(),
          broker.topology().warnings().of(queue).orElse(null));
    } finally {
      channel.abort();
    }
  }
}
