package io.onceflow.messaging.transport.internal;

import io.onceflow.outbox.internal.transport.MessageTransport;
import io.onceflow.rabbitmq.internal.BrokerConfig;
import io.onceflow.rabbitmq.internal.BrokerConnection;
import io.quarkus.arc.properties.IfBuildProperty;
import jakarta.annotation.Priority;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Alternative;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;

/**
 * Has the relay send by SmallRye's RabbitMQ connector ({@code onceflow.transport=messaging}). The
 * native client beside it looks for the exchanges, says why the broker refuses or blocks, and
 * checks the routes; the messages go by the connector.
 */
@ApplicationScoped
@Alternative
@Priority(1)
@IfBuildProperty(name = "onceflow.transport", stringValue = "messaging")
public class MessagingTransport implements MessageTransport {

  private final BrokerConnection broker;
  private final OutgoingChannels outgoing;
  private final int largest;

  MessagingTransport(BrokerConnection broker, OutgoingChannels outgoing, BrokerConfig config) {
    if (config.tls().enabled()) {
      throw new IllegalStateException(
          "onceflow.broker.tls.enabled is not for onceflow.transport=messaging: the connector's"
              + " client does not verify the name of the broker's host; use"
              + " onceflow.transport=rabbitmq");
    }
    this.broker = broker;
    this.outgoing = outgoing;
    this.largest = config.maxMessageSize();
  }

  @Override
  public ConnectorChannel openChannel(Duration atMost) throws IOException {
    // Fails where the broker is unavailable, refuses, or lacks an exchange.
    broker.openChannel(atMost).close();
    return new ConnectorChannel(outgoing, broker, largest);
  }

  @Override
  public Optional<String> blocked() {
    return broker.blocked();
  }

  @Override
  public Optional<String> refusal() {
    return broker.refusal();
  }
}
