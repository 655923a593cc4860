package io.onceflow.messaging.emitter.internal;

import io.onceflow.messaging.settings.internal.ChannelNames;
import java.util.List;
import org.eclipse.microprofile.config.ConfigProvider;

/** The channels of the application's {@code OutboxEmitter}s. */
final class OutgoingChannelNames {

  private OutgoingChannelNames() {}

  static List<String> all() {
    return ChannelNames.OUTGOING.channels(
        name -> ConfigProvider.getConfig().getOptionalValue(name, String.class).orElse(null));
  }
}
