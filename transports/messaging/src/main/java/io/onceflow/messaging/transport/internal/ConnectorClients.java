package io.onceflow.messaging.transport.internal;

import io.quarkus.arc.properties.IfBuildProperty;
import io.smallrye.reactive.messaging.ClientCustomizer;
import io.vertx.rabbitmq.RabbitMQOptions;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.eclipse.microprofile.config.Config;
import org.jspecify.annotations.Nullable;

/** Has the clients of the transport's own channels watched; those of the application are not. */
@ApplicationScoped
@IfBuildProperty(name = "onceflow.transport", stringValue = "messaging")
public class ConnectorClients implements ClientCustomizer<RabbitMQOptions> {

  private final Map<String, ConnectorClient> watched = new ConcurrentHashMap<>();

  /** The client that the connector makes for this channel from now on. */
  void watch(String channel, ConnectorClient client) {
    watched.put(channel, client);
  }

  /** The client of a channel; null before there is one. */
  @Nullable ConnectorClient client(String channel) {
    return watched.get(channel);
  }

  @Override
  public @Nullable RabbitMQOptions customize(
      String channel, Config channelConfig, RabbitMQOptions options) {
    ConnectorClient client = watched.get(channel);
    return client == null ? null : options.setMetricsCollector(client);
  }
}
