package io.onceflow.rabbitmq.internal;

import com.rabbitmq.client.AMQP.Queue;
import com.rabbitmq.client.Channel;
import io.onceflow.inbox.internal.consumer.QueueDepths;
import io.quarkus.arc.properties.UnlessBuildProperty;
import jakarta.enterprise.context.ApplicationScoped;
import java.io.IOException;

/** Asks RabbitMQ by declaring the queue passively, which changes nothing. */
@ApplicationScoped
@UnlessBuildProperty(name = "onceflow.transport", stringValue = "local", enableIfMissing = true)
@UnlessBuildProperty(name = "onceflow.transport", stringValue = "kafka", enableIfMissing = true)
class RabbitQueueDepths implements QueueDepths {

  private final BrokerConnection broker;

  RabbitQueueDepths(BrokerConnection broker) {
    this.broker = broker;
  }

  /** On a channel for this alone: the broker closes it if there is no such queue. */
  @Override
  public Depth of(String queue) throws IOException {
    Channel channel = broker.openChannel();
    try {
      Queue.DeclareOk found = channel.queueDeclarePassive(queue);
      return new Depth(
          found.getMessageCount(),
          found.getConsumerCount(),
          broker.topology().warnings().of(queue).orElse(null));
    } finally {
      channel.abort();
    }
  }
}
