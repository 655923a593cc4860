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
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;
import java.util.stream.Stream;
import org.eclipse.microprofile.config.Config;
import org.eclipse.microprofile.config.spi.ConfigSource;
import org.jspecify.annotations.Nullable;

/**
 * What the connectors are set to for the channels of {@code @Once} methods and of {@code
 * OutboxEmitter}s. Of a default, what the application sets for a channel or for its connector goes
 * first. With another value of a fixed setting, messages would be lost, or handled as something
 * else: the application does not start.
 */
public final class ConnectorSettings implements ConfigSourceFactory {

  private static final String KAFKA = "smallrye-kafka";
  private static final String RABBITMQ = "smallrye-rabbitmq";

  /** Above what Quarkus finds out from the methods' signatures, below all files. */
  private static final int ORDINAL = 60;

  private static final String FOR_EVER = Integer.toString(Integer.MAX_VALUE);
  private static final String TEXT = "org.apache.kafka.common.serialization.StringSerializer";

  /**
   * A setting of a connector.
   *
   * @param value empty where there must be none
   */
  private record Setting(
      ChannelNames names, String connector, String attribute, String value, boolean isFixed) {}

  private static final List<Setting> SETTINGS =
      List.of(
          // The payload is read by the inbox, so that one that cannot be read is parked.
          fixed(
              INCOMING,
              KAFKA,
              "value.deserializer",
              "org.apache.kafka.common.serialization.ByteArrayDeserializer"),
          // Quarkus sets it where a method takes a List; the inbox makes the batches.
          fixed(INCOMING, KAFKA, "batch", "false"),
          // Offsets are committed after all messages below them are settled, and not before.
          fixed(INCOMING, KAFKA, "enable.auto.commit", "false"),
          fixed(INCOMING, KAFKA, "commit-strategy", "throttled"),
          // A pause while the database is unavailable is no reason to end the stream.
          usual(INCOMING, KAFKA, "throttled.unprocessed-record-max-age.ms", "0"),
          // Records that cannot be deserialized would be lost.
          fixed(INCOMING, KAFKA, "failure-strategy", "fail"),
          // A new group would not read what was sent before it subscribed.
          usual(INCOMING, KAFKA, "auto.offset.reset", "earliest"),
          // Messages would be acknowledged before they are settled.
          fixed(INCOMING, RABBITMQ, "auto-acknowledgement", "false"),
          // The channel that a message came by is known by the tag that the broker chooses.
          fixed(INCOMING, RABBITMQ, "consumer-tag", ""),
          usual(INCOMING, RABBITMQ, "content-type-override", "application/octet-stream"),
          usual(INCOMING, RABBITMQ, "max-outstanding-messages", "${onceflow.once.prefetch:256}"),
          // The connector would stop for good after a hundred attempts.
          usual(INCOMING, RABBITMQ, "reconnect-attempts", FOR_EVER),
          usual(INCOMING, RABBITMQ, "reconnect-interval", "1"),
          // The outbox holds keys, and payloads as JSON, as text.
          fixed(OUTGOING, KAFKA, "value.serializer", TEXT),
          fixed(OUTGOING, KAFKA, "key.serializer", TEXT),
          // The connector asks one broker only, with which the client is not idempotent.
          fixed(OUTGOING, KAFKA, "acks", "all"),
          fixed(OUTGOING, KAFKA, "enable.idempotence", "true"),
          // A record would be acknowledged before Kafka has it.
          fixed(OUTGOING, KAFKA, "waitForWriteCompletion", "true"),
          // One after the other waits that long while the broker is unavailable.
          usual(OUTGOING, KAFKA, "max.block.ms", "5000"),
          // A message would be acknowledged before RabbitMQ has it.
          fixed(OUTGOING, RABBITMQ, "publish-confirms", "true"),
          // The connector never gives back the room of what a broken connection has lost; the relay
          // bounds what is in flight.
          fixed(OUTGOING, RABBITMQ, "max-inflight-messages", Long.toString(Long.MAX_VALUE)),
          // The relay resends.
          usual(OUTGOING, RABBITMQ, "retry-on-fail-attempts", "0"),
          usual(OUTGOING, RABBITMQ, "reconnect-attempts", FOR_EVER),
          usual(OUTGOING, RABBITMQ, "reconnect-interval", "1"));

  private static Setting fixed(
      ChannelNames names, String connector, String attribute, String value) {
    return new Setting(names, connector, attribute, value, true);
  }

  private static Setting usual(
      ChannelNames names, String connector, String attribute, String value) {
    return new Setting(names, connector, attribute, value, false);
  }

  @Override
  public Iterable<ConfigSource> getConfigSources(ConfigSourceContext context) {
    Function<String, @Nullable String> config = name -> value(context, name);
    Map<String, String> settings = new HashMap<>();
    for (ChannelNames names : ChannelNames.values()) {
      for (String channel : names.channels(config)) {
        of(names, channel, config)
            .filter(setting -> !setting.value().isEmpty())
            .filter(setting -> config.apply(ofAll(setting)) == null)
            .forEach(
                setting ->
                    settings.put(names.property(channel, setting.attribute()), setting.value()));
      }
    }
    return List.of(new PropertiesConfigSource(settings, "Onceflow's channels", ORDINAL));
  }

  /** The settings of a channel's connector. */
  private static Stream<Setting> of(
      ChannelNames names, String channel, Function<String, @Nullable String> config) {
    String connector = config.apply(names.property(channel, "connector"));
    return SETTINGS.stream()
        .filter(setting -> setting.names() == names && setting.connector().equals(connector));
  }

  /** The property for all channels of a connector. */
  private static String ofAll(Setting setting) {
    return "mp.messaging.connector.%s.%s".formatted(setting.connector(), setting.attribute());
  }

  /**
   * @throws IllegalStateException when a fixed setting of one of the channels has another value
   */
  public static void check(Config config, ChannelNames names, List<String> channels) {
    Function<String, @Nullable String> values =
        name -> config.getOptionalValue(name, String.class).orElse(null);
    List<String> wrong =
        channels.stream()
            .distinct()
            .flatMap(
                channel ->
                    of(names, channel, values)
                        .filter(Setting::isFixed)
                        .flatMap(setting -> wrong(setting, channel, values).stream()))
            .toList();
    if (!wrong.isEmpty()) {
      throw new IllegalStateException(String.join("\n", wrong));
    }
  }

  private static Optional<String> wrong(
      Setting setting, String channel, Function<String, @Nullable String> values) {
    String property = setting.names().property(channel, setting.attribute());
    return Stream.of(property, ofAll(setting))
        .map(name -> Optional.ofNullable(values.apply(name)))
        .flatMap(Optional::stream)
        .findFirst()
        .filter(value -> !value.equals(setting.value()))
        .map(
            value ->
                "%s is %s, but channel %s is %s, which needs %s: docs/guide/channels.md says why; remove it"
                    .formatted(
                        property,
                        value,
                        channel,
                        setting.names() == INCOMING
                            ? "read by an @Once method"
                            : "sent to by an OutboxEmitter",
                        setting.value().isEmpty() ? "none" : setting.value()));
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
