package io.onceflow.messaging.settings.internal;

import static io.onceflow.messaging.settings.internal.ChannelNames.INCOMING;
import static io.onceflow.messaging.settings.internal.ChannelNames.OUTGOING;

import io.smallrye.config.ConfigSourceContext;
import io.smallrye.config.ConfigSourceFactory;
import io.smallrye.config.ConfigValue;
import io.smallrye.config.PropertiesConfigSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.eclipse.microprofile.config.spi.ConfigSource;
import org.jspecify.annotations.Nullable;

/**
 * Defaults of the connectors for the channels of {@code @Once} methods and of {@code
 * OutboxEmitter}s. What the application sets, for a channel or for its connector, goes first.
 */
public final class ConnectorSettings implements ConfigSourceFactory {

  static final String KAFKA = "smallrye-kafka";
  static final String RABBITMQ = "smallrye-rabbitmq";

  /** Above what Quarkus finds out from the methods' signatures, below all files. */
  private static final int ORDINAL = 60;

  /** The connector would stop for good after a hundred attempts. */
  private static final Map<String, String> RECONNECT_FOR_EVER =
      Map.of("reconnect-attempts", Integer.toString(Integer.MAX_VALUE), "reconnect-interval", "1");

  private static final Map<ChannelNames, Map<String, Map<String, String>>> DEFAULTS =
      Map.of(
          INCOMING,
          Map.of(
              KAFKA,
              Map.of(
                  // The payload is read by the inbox, so that one that cannot be read is parked.
                  "value.deserializer",
                  "org.apache.kafka.common.serialization.ByteArrayDeserializer",
                  // Quarkus sets it where a method takes a List; the inbox makes the batches.
                  "batch",
                  "false",
                  // A new group would not read what was sent before it subscribed.
                  "auto.offset.reset",
                  "earliest",
                  "enable.auto.commit",
                  "false",
                  "commit-strategy",
                  "throttled",
                  // A pause while the database is away is no reason to end the stream.
                  "throttled.unprocessed-record-max-age.ms",
                  "0",
                  "failure-strategy",
                  "fail"),
              RABBITMQ,
              with(
                  RECONNECT_FOR_EVER,
                  Map.of(
                      "content-type-override",
                      "application/octet-stream",
                      "auto-acknowledgement",
                      "false",
                      "max-outstanding-messages",
                      "${onceflow.once.prefetch:256}"))),
          OUTGOING,
          Map.of(
              KAFKA,
              Map.of(
                  // The outbox holds the payload as text already.
                  "value.serializer",
                  "org.apache.kafka.common.serialization.StringSerializer",
                  "key.serializer",
                  "org.apache.kafka.common.serialization.StringSerializer",
                  // The connector asks one broker only, with which the client is not idempotent.
                  "acks",
                  "all",
                  "enable.idempotence",
                  "true",
                  "waitForWriteCompletion",
                  "true",
                  // One after the other waits that long while the broker is away.
                  "max.block.ms",
                  "5000"),
              RABBITMQ,
              with(
                  RECONNECT_FOR_EVER,
                  Map.of(
                      "publish-confirms",
                      "true",
                      // It never gives back the room of what a broken connection has lost; the
                      // relay bounds what is in flight.
                      "max-inflight-messages",
                      Long.toString(Long.MAX_VALUE),
                      // The relay sends again.
                      "retry-on-fail-attempts",
                      "0"))));

  private static Map<String, String> with(Map<String, String> some, Map<String, String> others) {
    Map<String, String> all = new HashMap<>(some);
    all.putAll(others);
    return Map.copyOf(all);
  }

  @Override
  public Iterable<ConfigSource> getConfigSources(ConfigSourceContext context) {
    Map<String, String> settings = new HashMap<>();
    for (ChannelNames names : ChannelNames.values()) {
      for (String channel : names.channels(name -> value(context, name))) {
        add(settings, context, names, channel);
      }
    }
    return List.of(new PropertiesConfigSource(settings, "Onceflow's channels", ORDINAL));
  }

  private static void add(
      Map<String, String> settings,
      ConfigSourceContext context,
      ChannelNames names,
      String channel) {
    String connector = value(context, names.property(channel, "connector"));
    if (connector == null) {
      return;
    }
    DEFAULTS
        .get(names)
        .getOrDefault(connector, Map.of())
        .forEach(
            (attribute, setting) -> {
              if (value(context, ChannelNames.ofAll(connector, attribute)) == null) {
                settings.put(names.property(channel, attribute), setting);
              }
            });
  }

  private static @Nullable String value(ConfigSourceContext context, String name) {
    ConfigValue value = context.getValue(name);
    return value == null ? null : value.getValue();
  }

  @Override
  public OptionalInt getPriority() {
    return OptionalInt.of(ORDINAL);
  }
}
