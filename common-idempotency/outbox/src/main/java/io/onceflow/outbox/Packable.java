package io.onceflow.outbox;

import java.util.List;

/**
 * Which messages may go out several to a pack: those that somebody must receive, and whose receiver
 * is known to read packs. Whoever else listens gets each by itself.
 *
 * @param largest how many to a pack at most; 1 packs nothing
 * @param readers routing keys, or beginnings of routing keys that end with {@code #}
 */
public record Packable(int largest, List<String> readers) {

  static Packable by(OutboxConfig.Relay config) {
    return new Packable(
        Math.min(config.largestPack(), Pack.MOST_MESSAGES), config.packedFor().orElse(List.of()));
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
