package io.onceflow.messaging.settings.internal;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.NoOpMetricsCollector;
import io.smallrye.reactive.messaging.ClientCustomizer;
import io.vertx.rabbitmq.RabbitMQOptions;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.eclipse.microprofile.config.Config;
import org.eclipse.microprofile.config.ConfigProvider;
import org.jspecify.annotations.Nullable;

/**
 * The connections and AMQP channels that RabbitMQ's connector has opened for our channels; those of
 * the application are not watched. The connector shows neither, so they are learned from its
 * client's metrics.
 */
@Singleton
public class RabbitClients implements ClientCustomizer<RabbitMQOptions> {

  private final Map<String, RabbitClient> watched = new ConcurrentHashMap<>();

  /** A client that the connector makes for this channel from now on, in place of any before. */
  public RabbitClient watch(String channel) {
    RabbitClient client = new RabbitClient();
    watched.put(channel, client);
    return client;
  }

  /** The client of a channel. */
  public RabbitClient of(String channel) {
    return watched.computeIfAbsent(channel, it -> new RabbitClient());
  }

  @Override
  public @Nullable RabbitMQOptions customize(
      String channel, Config channelConfig, RabbitMQOptions options) {
    boolean isOurs =
        watched.containsKey(channel)
            || ChannelNames.INCOMING.channels(RabbitClients::value).contains(channel)
            || ChannelNames.OUTGOING.channels(RabbitClients::value).contains(channel);
    return isOurs ? options.setMetricsCollector(of(channel)) : null;
  }

  private static @Nullable String value(String name) {
    return ConfigProvider.getConfig().getOptionalValue(name, String.class).orElse(null);
  }

  /** What the connector has opened for one channel. */
  public static final class RabbitClient extends NoOpMetricsCollector {

    private final List<Consumer<String>> listeners = new CopyOnWriteArrayList<>();
    private final Map<String, Channel> consuming = new ConcurrentHashMap<>();
    private volatile @Nullable Connection connection;
    private volatile @Nullable Channel channel;

    private RabbitClient() {}

    /**
     * Tells why an AMQP channel has closed; and that another one is opened, since the connector
     * never sends some of what it was given in between.
     *
     * @param listener runs on a thread of the client; must not block
     */
    public void onLoss(Consumer<String> listener) {
      listeners.add(listener);
    }

    /** The channel by which messages come and go; null before the connector has connected. */
    public @Nullable Channel channel() {
      return channel;
    }

    /** The channel by which a consumer's messages come; null once it has closed. */
    public @Nullable Channel channelOf(String consumerTag) {
      return consuming.get(consumerTag);
    }

    /**
     * Closes the connection; the connector opens no other one for what was received by this one.
     */
    public void abort(int withinMillis) {
      Connection open = connection;
      if (open != null) {
        open.abort(withinMillis);
      }
    }

    @Override
    public void newConnection(Connection opened) {
      connection = opened;
    }

    @Override
    public void newChannel(Channel opened) {
      if (channel != null) {
        lost("the connector has opened another channel");
      }
      channel = opened;
      opened.addShutdownListener(cause -> lost(String.valueOf(cause.getMessage())));
    }

    /** Called with the broker's answer to the subscription, before the first message is read. */
    @Override
    public void basicConsume(Channel opened, String consumerTag, boolean autoAck) {
      consuming.put(consumerTag, opened);
      opened.addShutdownListener(cause -> consuming.remove(consumerTag, opened));
    }

    private void lost(String why) {
      listeners.forEach(listener -> listener.accept(why));
    }
  }
}
