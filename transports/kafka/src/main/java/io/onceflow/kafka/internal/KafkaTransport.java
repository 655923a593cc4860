package io.onceflow.kafka.internal;

import io.onceflow.outbox.internal.transport.MessageTransport;
import io.quarkus.arc.properties.IfBuildProperty;
import jakarta.enterprise.context.ApplicationScoped;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import org.apache.kafka.common.KafkaException;

/**
 * Has the relay send by Kafka's producer ({@code onceflow.transport=kafka}). The producer puts
 * records together: there are no bundles. Nor is Kafka ever blocked: what it does not take is not
 * confirmed.
 */
@ApplicationScoped
@IfBuildProperty(name = "onceflow.transport", stringValue = "kafka")
public class KafkaTransport implements MessageTransport {

  private final KafkaClients clients;
  private final KafkaTopics topics;
  private final KafkaState state;

  KafkaTransport(KafkaClients clients, KafkaTopics topics, KafkaState state) {
    this.clients = clients;
    this.topics = topics;
    this.state = state;
  }

  @Override
  public KafkaChannel openChannel(Duration atMost) throws IOException {
    topics.reach(atMost);
    try {
      return new KafkaChannel(clients.producer(), topics);
    } catch (KafkaException e) {
      throw new IOException("no producer could be made: " + e.getMessage(), e);
    }
  }

  @Override
  public Optional<String> refusal() {
    return state.refusal();
  }
}
