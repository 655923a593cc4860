package io.onceflow.messaging.emitter.internal;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.NoOpMetricsCollector;
import io.smallrye.reactive.messaging.ClientCustomizer;
import io.vertx.rabbitmq.RabbitMQOptions;
import jakarta.inject.Singleton;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.eclipse.microprofile.config.Config;
import org.jspecify.annotations.Nullable;

/**
 * Tells when a connection of RabbitMQ's connector has broken. The connector never answers what was
 * in flight then, and does not show its connections, so they are learned from its client's metrics.
 */
@Singleton
class RabbitLosses implements ConnectorLosses, ClientCustomizer<RabbitMQOptions> {

  private final Map<String, Runnable> listeners = new ConcurrentHashMap<>();

  @Override
  public void onLoss(String channel, Runnable listener) {
    listeners.put(channel, listener);
  }

  /** Asked before the relays are there, and for all channels of the connector. */
  @Override
  public @Nullable RabbitMQOptions customize(
      String channel, Config channelConfig, RabbitMQOptions options) {
    boolean isOutgoing = OutgoingChannelNames.all().contains(channel);
    return isOutgoing ? options.setMetricsCollector(new Losses(channel)) : null;
  }

  private final class Losses extends NoOpMetricsCollector {

    private final String name;
    private final AtomicBoolean hasConnected = new AtomicBoolean();

    private Losses(String name) {
      this.name = name;
    }

    /** Also what was given to the connector in between, some of which it never sends. */
    @Override
    public void newChannel(Channel opened) {
      if (hasConnected.getAndSet(true)) {
        tell();
      }
      opened.addShutdownListener(cause -> tell());
    }

    private void tell() {
      Runnable listener = listeners.get(name);
      if (listener != null) {
        listener.run();
      }
    }
  }
}
