package io.onceflow.messaging.once.internal;

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
 * Defaults of the connectors for the channels of {@code @Once} methods. What the application sets,
 * for a channel or for its connector, goes first.
 */
public final class ConnectorSettings implements ConfigSourceFactory {

  static final String KAFKA = "smallrye-kafka";
  static final String RABBITMQ = "smallrye-rabbitmq";

  /** Above what Quarkus finds out from the methods' signatures, below all files. */
  private static final int ORDINAL = 60;

  private static final Map<String, Map<String, String>> DEFAULTS =
      Map.of(
          KAFKA,
          Map.of(
              // The payload is read by the inbox, so that one that cannot be read can be parked.
              "value.deserializer", "org.apache.kafka.common.serialization.ByteArrayDeserializer",
              // Quarkus sets it where a method takes a List; the inbox makes the batches.
              "batch", "false",
              // A new group would not read what was sent before it subscribed.
              "auto.offset.reset", "earliest",
              "enable.auto.commit", "false",
              "commit-strategy", "throttled",
              // A pause while the database is away is no reason to end the stream.
              "throttled.unprocessed-record-max-age.ms", "0",
              "failure-strategy", "fail"),
          RABBITMQ,
          Map.of(
              "content-type-override", "application/octet-stream",
              "auto-acknowledgement", "false",
              "max-outstanding-messages", "${onceflow.once.prefetch:256}",
              // It would stop for good after a hundred attempts.
              "reconnect-attempts", Integer.toString(Integer.MAX_VALUE),
              "reconnect-interval", "1"));

  @Override
  public Iterable<ConfigSource> getConfigSources(ConfigSourceContext context) {
    Map<String, String> settings = new HashMap<>();
    String channels = value(context, ChannelNames.CHANNELS);
    if (channels != null) {
      for (String channel : channels.split(",")) {
        add(settings, context, channel);
      }
    }
    return List.of(new PropertiesConfigSource(settings, "Onceflow's channels", ORDINAL));
  }

  private static void add(
      Map<String, String> settings, ConfigSourceContext context, String channel) {
    String connector = value(context, ChannelNames.property(channel, "connector"));
    if (connector == null) {
      return;
    }
    DEFAULTS
        .getOrDefault(connector, Map.of())
        .forEach(
            (attribute, setting) -> {
              if (value(context, ChannelNames.ofAll(connector, attribute)) == null) {
                settings.put(ChannelNames.property(channel, attribute), setting);
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
