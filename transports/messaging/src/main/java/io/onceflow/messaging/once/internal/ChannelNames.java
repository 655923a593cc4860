package io.onceflow.messaging.once.internal;

import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The names of the properties of an incoming channel. */
final class ChannelNames {

  /** The channels of {@code @Once} methods, with commas between them; set by the build. */
  static final String CHANNELS = "onceflow.messaging.incoming";

  private ChannelNames() {}

  /** A property of a channel. */
  static String property(String channel, String attribute) {
    String name = channel.contains(".") ? '"' + channel + '"' : channel;
    return "mp.messaging.incoming.%s.%s".formatted(name, attribute);
  }

  /** A property of all channels of a connector. */
  static String ofAll(String connector, String attribute) {
    return "mp.messaging.connector.%s.%s".formatted(connector, attribute);
  }

  /** What is set for a channel, or for all channels of its connector; null for nothing. */
  static @Nullable String value(
      Function<String, @Nullable String> config,
      String channel,
      String connector,
      String attribute) {
    return Stream.of(property(channel, attribute), ofAll(connector, attribute))
        .map(name -> Optional.ofNullable(config.apply(name)))
        .flatMap(Optional::stream)
        .findFirst()
        .orElse(null);
  }
}
