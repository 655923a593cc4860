package io.onceflow.messaging.settings.internal;

import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The names of the properties of channels. */
public enum ChannelNames {

  /** Channels that {@code @Once} methods read. */
  INCOMING("incoming"),

  /** Channels that an {@code OutboxEmitter} sends to. */
  OUTGOING("outgoing");

  private final String direction;

  ChannelNames(String direction) {
    this.direction = direction;
  }

  public String property(String channel, String attribute) {
    String name = channel.contains(".") ? '"' + channel + '"' : channel;
    return "mp.messaging.%s.%s.%s".formatted(direction, name, attribute);
  }

  /** The channels; the build has set the property that holds their names. */
  public List<String> channels(Function<String, @Nullable String> config) {
    String names = config.apply("onceflow.messaging." + direction);
    return names == null || names.isEmpty() ? List.of() : List.of(names.split(","));
  }
}
