package io.onceflow.outbox.internal.transport;

import io.onceflow.outbox.OutboxMessage;
import io.onceflow.outbox.internal.OutboxConfig;
import java.util.List;

/**
 * Which messages may be bundled: those that a queue must receive, and whose receiver is known to
 * read bundles. Other subscribers get each message by itself.
 *
 * @param largest how many to a pack at most; 1 packs nothing
 * @param readers routing keys, or beginnings of routing keys that end with {@code #}
 */
public record BundlePolicy(int largest, List<String> readers) {

  public static BundlePolicy by(OutboxConfig.Relay config) {
    return new BundlePolicy(
        Math.min(config.largestPack(), MessageBundle.MOST_MESSAGES),
        config.packedFor().orElse(List.of()));
  }

  boolean isPackable(OutboxMessage message) {
    return message.isAddressed()
        && readers.stream().anyMatch(reader -> isReader(reader, message.routingKey()));
  }

  private static boolean isReader(String reader, String routingKey) {
    return reader.endsWith("#")
        ? routingKey.startsWith(reader.substring(0, reader.length() - 1))
        : routingKey.equals(reader);
  }
}
