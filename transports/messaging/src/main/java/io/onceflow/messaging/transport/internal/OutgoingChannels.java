package io.onceflow.messaging.transport.internal;

import com.rabbitmq.client.AMQP.BasicProperties;
import io.onceflow.messaging.settings.internal.ConnectorStream;
import io.onceflow.messaging.settings.internal.RabbitClients;
import io.onceflow.outbox.internal.transport.OutgoingMessage;
import io.onceflow.rabbitmq.internal.AmqpProperties;
import io.quarkus.arc.properties.IfBuildProperty;
import io.smallrye.reactive.messaging.connector.OutboundConnector;
import io.smallrye.reactive.messaging.rabbitmq.OutgoingRabbitMQMetadata;
import io.smallrye.reactive.messaging.rabbitmq.RabbitMQConnector;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Flow;
import org.eclipse.microprofile.config.Config;
import org.eclipse.microprofile.reactive.messaging.Message;
import org.eclipse.microprofile.reactive.messaging.Metadata;
import org.eclipse.microprofile.reactive.messaging.spi.Connector;

/**
 * The connector's channels to the exchanges, shared by all who publish, and the routes on which
 * messages are known to reach a queue.
 */
@ApplicationScoped
@IfBuildProperty(name = "onceflow.transport", stringValue = "messaging")
class OutgoingChannels {

  /**
   * A queue that is unbound loses messages for this long at most, which the saga resends when they
   * are not answered.
   */
  private static final Duration KNOWN_FOR = Duration.ofSeconds(10);

  /** Far above the commands of a service; routing keys of replies are not its own to choose. */
  static final int MOST_ROUTES = 1000;

  private final OutboundConnector connector;
  private final RabbitClients clients;
  private final Map<String, ConnectorStream> streams = new HashMap<>();
  private final Map<Route, Long> known = new ConcurrentHashMap<>();
  private final Set<Runnable> listeners = ConcurrentHashMap.newKeySet();

  private record Route(String exchange, String routingKey) {

    static Route of(OutgoingMessage message) {
      return new Route(message.exchange(), message.amqpKey());
    }
  }

  OutgoingChannels(
      @Connector(RabbitMQConnector.CONNECTOR_NAME) OutboundConnector connector,
      RabbitClients clients) {
    this.connector = connector;
    this.clients = clients;
  }

  /** Tells whenever a connection has broken: what was in flight is in doubt. */
  void onLoss(Runnable listener) {
    listeners.add(listener);
  }

  void forget(Runnable listener) {
    listeners.remove(listener);
  }

  /** Whether a message on this route has reached a queue just now. */
  boolean isKnown(OutgoingMessage message) {
    Long at = known.get(Route.of(message));
    return at != null && System.nanoTime() - at < KNOWN_FOR.toNanos();
  }

  /** A message on this route has reached a queue. */
  void known(OutgoingMessage message) {
    if (known.size() >= MOST_ROUTES) {
      // All are checked again, which costs a round trip each.
      known.clear();
    }
    known.put(Route.of(message), System.nanoTime());
  }

  /**
   * Sends a message, after all those before it to its exchange.
   *
   * @return why the broker did not take it, or empty; never completes if the connection breaks
   *     before
   */
  CompletableFuture<Optional<String>> send(OutgoingMessage message, byte[] body) {
    return stream(message.exchange()).send(Message.of(body, Metadata.of(metadata(message))));
  }

  private static OutgoingRabbitMQMetadata metadata(OutgoingMessage message) {
    BasicProperties properties = AmqpProperties.of(message);
    return OutgoingRabbitMQMetadata.builder()
        .withRoutingKey(message.amqpKey())
        .withMessageId(properties.getMessageId())
        .withType(properties.getType())
        .withContentType(properties.getContentType())
        .withDeliveryMode(properties.getDeliveryMode())
        .withCorrelationId(properties.getCorrelationId())
        .withReplyTo(properties.getReplyTo())
        .withHeaders(properties.getHeaders())
        .build();
  }

  /** The connector connects with the first message; one that has given up is replaced. */
  private synchronized ConnectorStream stream(String exchange) {
    ConnectorStream open = streams.get(exchange);
    if (open == null || !open.isOpen()) {
      String channel = exchange + "-out";
      ConnectorStream opened = new ConnectorStream();
      clients.watch(channel).onLoss(why -> lost(opened));
      open = opened;
      open.messages().subscribe(subscriber(ChannelSettings.outgoing(channel, exchange)));
      streams.put(exchange, open);
    }
    return open;
  }

  /** The connector takes any message. */
  @SuppressWarnings("unchecked")
  private Flow.Subscriber<Message<?>> subscriber(Config settings) {
    return (Flow.Subscriber<Message<?>>) connector.getSubscriber(settings);
  }

  /** Whether the connector keeps the order of what it sends to an exchange from here on. */
  synchronized boolean isConnected(String exchange) {
    ConnectorStream open = streams.get(exchange);
    return open != null && open.isOpen() && open.isConnected();
  }

  private void lost(ConnectorStream stream) {
    stream.lost();
    known.clear();
    listeners.forEach(Runnable::run);
  }
}
