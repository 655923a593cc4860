package io.onceflow.messaging.transport.internal;

import io.onceflow.messaging.settings.internal.RabbitClients;
import io.onceflow.outbox.internal.transport.OutgoingMessage;
import io.quarkus.arc.properties.IfBuildProperty;
import io.smallrye.reactive.messaging.connector.OutboundConnector;
import io.smallrye.reactive.messaging.rabbitmq.RabbitMQConnector;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.eclipse.microprofile.reactive.messaging.spi.Connector;
import org.jspecify.annotations.Nullable;

/**
 * The connector's channels to the exchanges, shared by all who publish, and the routes on which
 * messages are known to reach a queue.
 */
@ApplicationScoped
@IfBuildProperty(name = "onceflow.transport", stringValue = "messaging")
class OutgoingChannels {

  /**
   * A queue that is unbound loses messages for this long at most, which the saga sends again when
   * they are not answered.
   */
  private static final Duration KNOWN_FOR = Duration.ofSeconds(10);

  /** Far above the commands of a service; routing keys of replies are not its own to choose. */
  static final int MOST_ROUTES = 1000;

  private final OutboundConnector connector;
  private final RabbitClients clients;
  private final Map<String, OutgoingChannel> channels = new HashMap<>();
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
      // All are checked anew, which costs a round trip each.
      known.clear();
    }
    known.put(Route.of(message), System.nanoTime());
  }

  void send(OutgoingMessage message, byte[] body, Consumer<@Nullable Throwable> onAnswer) {
    channel(message.exchange()).send(message, body, onAnswer);
  }

  private synchronized OutgoingChannel channel(String exchange) {
    OutgoingChannel open = channels.get(exchange);
    if (open == null || !open.isOpen()) {
      open = open(exchange);
      channels.put(exchange, open);
    }
    return open;
  }

  private OutgoingChannel open(String exchange) {
    String channel = exchange + "-out";
    clients.watch(channel).onLoss(why -> lost());
    return new OutgoingChannel(connector, ChannelSettings.outgoing(channel, exchange));
  }

  private void lost() {
    known.clear();
    listeners.forEach(Runnable::run);
  }
}
