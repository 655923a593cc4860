package io.onceflow.messaging.transport.internal;

import io.onceflow.outbox.OutboxMessage;
import io.onceflow.rabbitmq.internal.RabbitQueue;
import io.smallrye.config.PropertiesConfigSource;
import io.smallrye.config.SmallRyeConfigBuilder;
import io.smallrye.reactive.messaging.rabbitmq.RabbitMQConnector;
import java.util.HashMap;
import java.util.Map;
import org.eclipse.microprofile.config.Config;

/**
 * The connector's settings of the transport's channels. Where the broker is, and as whom to
 * connect, the connector reads by itself ({@code rabbitmq-host} and so on); its other defaults are
 * not those of a transport that promises something, and are set here, so that none can be set
 * wrong.
 */
final class ChannelSettings {

  /** The connector would declare a topic exchange or a queue with arguments of its own. */
  private static final Map<String, String> BOTH =
      Map.of(
          "connector", RabbitMQConnector.CONNECTOR_NAME,
          "exchange.declare", "false",
          "automatic-recovery-enabled", "false",
          "requested-heartbeat", "10",
          "connection-timeout", "5000",
          "handshake-timeout", "5000",
          // Onceflow's health says whether the broker refuses; while it is only away, the service
          // is ready.
          "health-enabled", "false",
          // Messages carry the trace of the transaction that recorded them.
          "tracing.enabled", "false");

  private ChannelSettings() {}

  /**
   * Of a channel that consumes a queue. It does not reconnect: an acknowledgement that comes late
   * would go to the next connection, where its tag means another message.
   */
  static Config incoming(String channel, RabbitQueue queue, int prefetch) {
    return config(
        channel,
        Map.of(
            "queue.name",
            queue.name(),
            "queue.declare",
            "false",
            "max-outstanding-messages",
            Integer.toString(prefetch),
            "max-incoming-internal-queue-size",
            Integer.toString(2 * prefetch),
            "content-type-override",
            "application/octet-stream",
            "reconnect-attempts",
            "0"));
  }

  /**
   * Of a channel that sends to an exchange. It reconnects for ever; what the broker refuses the
   * relay resends, not the connector; and how much is in flight the relay bounds, since the
   * connector never gives back the room of what was in flight when a connection broke.
   *
   * @param exchange such as {@link OutboxMessage#COMMANDS}
   */
  static Config outgoing(String channel, String exchange) {
    return config(
        channel,
        Map.of(
            "exchange.name",
            exchange,
            "publish-confirms",
            "true",
            "max-inflight-messages",
            Long.toString(Long.MAX_VALUE),
            "retry-on-fail-attempts",
            "0",
            "reconnect-attempts",
            Integer.toString(Integer.MAX_VALUE),
            "reconnect-interval",
            "1"));
  }

  private static Config config(String channel, Map<String, String> own) {
    Map<String, String> all = new HashMap<>(BOTH);
    all.putAll(own);
    all.put("channel-name", channel);
    return new SmallRyeConfigBuilder()
        .withSources(new PropertiesConfigSource(all, channel, 100))
        .build();
  }
}
