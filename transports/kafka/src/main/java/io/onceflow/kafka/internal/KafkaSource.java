package io.onceflow.kafka.internal;

import io.micrometer.core.instrument.MeterRegistry;
import io.onceflow.inbox.internal.consumer.BatchConsumer;
import io.onceflow.inbox.internal.consumer.BatchSettler;
import io.onceflow.inbox.internal.consumer.MessageSource;
import io.onceflow.rabbitmq.internal.ConsumerConfig;
import io.quarkus.arc.properties.IfBuildProperty;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Takes messages from topics, as a consumer group for each queue. */
@ApplicationScoped
@IfBuildProperty(name = "onceflow.transport", stringValue = "kafka")
public class KafkaSource implements MessageSource {

  private final KafkaClients clients;
  private final KafkaTopics topics;
  private final KafkaState state;
  private final ConsumerBounds bounds;
  private final MeterRegistry metrics;

  /** A queue that is subscribed again, as after a pause, continues with its metric. */
  private final Map<String, ConsumerLag> lags = new ConcurrentHashMap<>();

  KafkaSource(
      KafkaClients clients,
      KafkaTopics topics,
      KafkaState state,
      ConsumerConfig config,
      MeterRegistry metrics) {
    this.clients = clients;
    this.topics = topics;
    this.state = state;
    this.bounds = ConsumerBounds.by(config);
    this.metrics = metrics;
  }

  /** Nothing is dead-lettered, so there is nothing that the settler would have to park. */
  @Override
  public Subscription subscribe(Queue queue, BatchConsumer consumer, BatchSettler settler) {
    consumer.deliveredBy("kafka");
    String name = queue.name();
    Set<String> names = TopicNames.of(queue);
    ConsumerLag lag = lags.computeIfAbsent(name, it -> ConsumerLag.of(it, metrics));
    return new PollLoop(
        name,
        names,
        topics,
        state,
        ids ->
            new GroupMember(
                clients.consumer(name, bounds.poll()), name, ids, bounds, consumer, lag));
  }
}
