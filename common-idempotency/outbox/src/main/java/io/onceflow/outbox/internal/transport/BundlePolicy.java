package io.onceflow.outbox.internal.transport;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.onceflow.outbox.OutboxMessage;
import io.onceflow.outbox.internal.OutboxConfig;

/**
 * Which messages may be bundled: those that a queue must receive. Whether its consumers unpack, the
 * transport finds out.
 *
 * @param largest how many to a pack at most; 1 packs nothing
 */
public record BundlePolicy(int largest) {

  /** Bytes of an AMQP routing key at most. */
  private static final int LONGEST_KEY = 255;

  private static final int LONGEST_OWN_KEY = LONGEST_KEY - MessageBundle.KEY_PREFIX.length();

  public static BundlePolicy by(OutboxConfig.Relay config) {
    return new BundlePolicy(Math.min(config.largestPack(), MessageBundle.MOST_MESSAGES));
  }

  static boolean isPackable(OutboxMessage message) {
    return message.isAddressed() && fits(message.routingKey());
  }

  /** Within a pack's routing key; most keys are short in whatever letters. */
  private static boolean fits(String routingKey) {
    return routingKey.length() * 3 <= LONGEST_OWN_KEY
        || routingKey.getBytes(UTF_8).length <= LONGEST_OWN_KEY;
  }
}
